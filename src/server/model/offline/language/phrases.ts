// "Remember that …" and "forget …" in many languages: a table. Each row's first group is what is to be remembered or forgotten, in its own words.

export interface Asked {
  /** The words, without the order around them. */
  content: string;
  language: string;
}

interface Row {
  language: string;
  remember: RegExp[];
  forget: RegExp[];
}

const head = (source: string): RegExp => new RegExp(`^(?:${source})\\s*[:：,，、–—-]?\\s*(.+)$`, "isu");

const ROWS: Row[] = [
  {
    language: "German",
    remember: [
      head(
        "(?:(?:bitte|also|und|ach ja|übrigens|doch|jetzt|kannst du dir|könntest du dir),? )*(?:merk(?:e)? (?:dir|euch)|behalte?|denk(?:e)? (?:bitte )?daran|vergiss (?:bitte )?nicht|notier(?:e)?(?: dir)?|erinner(?:e)? dich(?: daran)?|speicher(?:e)?(?: dir)?|schreib(?:e)? dir auf)(?: (?:bitte|wieder|doch wieder|noch einmal|nochmal|erneut|im kopf))*(?:,? dass)?",
      ),
      head("(?:bitte )?merken(?: bitte)?"),
    ],
    forget: [
      head(
        "(?:bitte |also |und )*(?:vergiss|vergesst|lösche?|streiche?)(?: bitte| (?:alles|was) (?:du )?(?:über|von|zu)| alles über)*(?:,? (?:dass|was ich (?:dir )?über))?(?= |:|,)",
      ),
    ],
  },
  {
    language: "Spanish",
    remember: [
      head(
        "(?:por favor,? |y |oye,? |también )*(?:recuerda|recuérdame|recuerde|recordá|acuérdate(?: de)?|ten(?:ga)? en cuenta|apunta|anota|memoriza|guarda|no (?:te )?olvides|toma nota)(?: (?:por favor|de nuevo|otra vez|nuevamente))*(?:,? (?:de )?que)?",
      ),
    ],
    forget: [
      head(
        "(?:por favor,? |y )*(?:olvida|olvide|olvídate de|borra|elimina)(?: (?:por favor|todo (?:lo que sabes )?(?:sobre|de)|lo que (?:te )?dije (?:sobre|de)|lo de))*(?:,? que)?(?= |:)",
      ),
    ],
  },
  {
    language: "French",
    remember: [
      head(
        "(?:s'il te pla[iî]t,? |s'il vous pla[iî]t,? |et |aussi,? )*(?:souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|rappelez[- ]vous|retiens|retenez|note(?:z)?|mémorise(?:z)?|garde(?:z)? en mémoire|n['’]oublie(?:z)? pas)(?: (?:bien|à nouveau|de nouveau|encore(?: une fois)?|s'il te pla[iî]t))*,? (?:que |qu['’]|: ?)",
      ),
    ],
    forget: [
      head(
        "(?:s'il te pla[iî]t,? |et )*(?:oublie(?:z)?|efface(?:z)?|supprime(?:z)?)(?: (?:tout (?:ce que tu sais )?(?:sur|de)|ce que je t['’]ai dit (?:sur|de)))?(?:,? (?:que |qu['’]))?(?= |:|\\p{L})",
      ),
    ],
  },
  {
    language: "Italian",
    remember: [
      head(
        "(?:per favore,? |e |anche )*(?:ricorda(?:ti|tevi)?|tieni a mente|annota|segna(?:ti)?|memorizza|non dimenticare|prendi nota)(?: (?:di nuovo|ancora|per favore))*(?:,? (?:del fatto )?che)?",
      ),
    ],
    forget: [
      head(
        "(?:per favore,? |e )*(?:dimentica|dimenticati|scorda(?:ti)?|cancella)(?: (?:tutto (?:quello che sai )?(?:su|di)|quello che ti ho detto (?:su|di)))?(?:,? (?:di|che))?(?= |:)",
      ),
    ],
  },
  {
    language: "Portuguese",
    remember: [
      head(
        "(?:por favor,? |e |também )*(?:lembra[- ]te|lembre(?:-se)?|lembra|recorda|anota|anote|guarda|guarde|memoriza|memorize|não (?:te |se )?esque(?:ças|ça)|toma nota)(?: (?:de novo|outra vez|novamente|por favor))*(?:,? (?:de )?que)?",
      ),
    ],
    forget: [
      head(
        "(?:por favor,? |e )*(?:esquece|esqueça|esquece-te|apaga|apague)(?: (?:tudo (?:o que sabes )?(?:sobre|de)|o que (?:te )?disse (?:sobre|de)))?(?:,? (?:de )?que)?(?= |:)",
      ),
    ],
  },
  {
    language: "Dutch",
    remember: [
      head(
        "(?:alsjeblieft |en |ook )*(?:onthoud|onthou|vergeet niet|noteer|bewaar|houd er rekening mee)(?: (?:alsjeblieft|aub|weer|opnieuw|even))*(?:,? dat)?",
      ),
    ],
    forget: [
      head(
        "(?:alsjeblieft |en )*(?:vergeet|wis|verwijder)(?: (?:alles (?:wat je weet )?over|wat ik (?:je )?(?:zei|vertelde) over))?(?:,? dat)?(?= |:)(?! niet\\b)",
      ),
    ],
  },
  {
    language: "Polish",
    remember: [head("(?:proszę,? |i )*(?:zapamiętaj|pamiętaj|zanotuj|zapisz)(?: (?:sobie|proszę|znowu|ponownie))*(?:,? że)?")],
    forget: [head("(?:proszę,? |i )*(?:zapomnij|usuń)(?: (?:o tym|o|wszystko o))?(?:,? że)?(?= |:)")],
  },
  {
    language: "Czech",
    remember: [head("(?:prosím,? )*(?:zapamatuj si|pamatuj(?: si)?|poznamenej si|nezapomeň)(?: (?:prosím|znovu))*(?:,? že)?")],
    forget: [head("(?:prosím,? )*zapomeň(?: na| všechno o)?(?:,? že)?(?= |:)")],
  },
  {
    language: "Russian",
    remember: [
      head(
        "(?:пожалуйста,? |и |снова |опять )*(?:запомни(?:те)?|помни(?:те)?|запиши(?:те)?|не забудь(?:те)?|не забывай(?:те)?)(?:,? (?:пожалуйста|снова|опять))*(?:,? что)?",
      ),
    ],
    forget: [
      head(
        "(?:пожалуйста,? |и )*(?:забудь(?:те)?|удали(?:те)?)(?: (?:вс[её] (?:о|об|про)|про|о|об))?(?:,? (?:пожалуйста,? )?что)?(?= |:)",
      ),
    ],
  },
  {
    language: "Ukrainian",
    remember: [head("(?:будь ласка,? )*(?:запам['’ʼ]ятай|пам['’ʼ]ятай|запиши)(?:,? (?:будь ласка|знову))*(?:,? що)?")],
    forget: [head("(?:будь ласка,? )*забудь(?: про| все про)?(?:,? що)?(?= |:)")],
  },
  {
    language: "Swedish",
    remember: [head("(?:snälla |och )*(?:kom ihåg|minns|notera|glöm inte)(?: (?:igen|snälla))*(?:,? att)?")],
    forget: [head("(?:snälla |och )*(?:glöm|radera)(?: (?:allt om|vad jag sa om))?(?:,? att)?(?= |:)(?! inte\\b)")],
  },
  {
    language: "Danish, Norwegian",
    remember: [head("(?:vær så snill å |og )*(?:husk|noter|glem ikke)(?: (?:igen|igjen))*(?:,? at)?")],
    forget: [head("(?:glem|slett)(?: (?:alt om|hva jeg sa om))?(?:,? at)?(?= |:)(?! ikke\\b)")],
  },
  {
    language: "Finnish",
    remember: [head("(?:ole hyvä ja )?(?:muista|pane mieleen|merkitse muistiin|älä unohda)(?: (?:taas|uudelleen))*(?:,? että)?")],
    forget: [head("unohda(?:,? että)?(?= |:)")],
  },
  {
    language: "Hungarian",
    remember: [head("(?:kérlek,? )*(?:jegyezd meg|emlékezz(?: rá)?|ne felejtsd el)(?: újra)*(?:,? hogy)?")],
    forget: [head("(?:kérlek,? )*felejtsd el(?:,? hogy)?")],
  },
  {
    language: "Romanian",
    remember: [head("(?:te rog,? (?:să )?)*(?:ține minte|ţine minte|amintește-ți|notează|nu uita)(?: din nou)*(?:,? că)?")],
    forget: [head("(?:te rog,? )*uită(?: (?:de|tot despre))?(?:,? că)?(?= |:)")],
  },
  {
    language: "Catalan",
    remember: [head("(?:si us plau,? )*(?:recorda|apunta|no oblidis)(?:,? que)")],
    forget: [head("(?:si us plau,? )*oblida(?:,? que)")],
  },
  {
    language: "Greek",
    remember: [head("(?:παρακαλώ,? )*(?:θυμήσου|να θυμάσαι|σημείωσε|μην ξεχάσεις|μην ξεχνάς)(?: ξανά)*(?:,? (?:ότι|πως))?")],
    forget: [head("(?:παρακαλώ,? )*ξέχασε(?:,? (?:ότι|πως))?(?= |:)")],
  },
  {
    language: "Turkish",
    remember: [
      head("(?:lütfen )*(?:unutma|hatırla|aklında tut|not et|kaydet)(?: ki)?[:,]"),
      head("(?:lütfen )*(?:unutma|hatırla) ki"),
      /^(?:lütfen )?(.+?)[,]? (?:tekrar )?(?:hatırla|unutma|aklında tut|not et|kaydet)$/iu,
    ],
    forget: [head("(?:lütfen )*unut[:,]"), /^(?:lütfen )?(.+?),? unut$/iu],
  },
  {
    language: "Chinese",
    remember: [
      /^(?:(?:请|請|麻烦|麻煩|你|帮我|幫我|替我|再次|重新|再|要|也)\s*)*(?:记住|記住|记得|記得|记下来?|記下來?|记一下|記一下|牢记|牢記|记着|別忘了|别忘了|不要忘记|不要忘記)(?:了)?\s*[：:，,]?\s*(.+)$/su,
      /^(.+?)[，,]\s*(?:请|請)?(?:记住|記住|记下来?|記下來?|记一下|記一下)(?:了|吧|哦)?$/su,
    ],
    forget: [
      /^(?:(?:请|請|麻烦|麻煩|你|帮我|把)\s*)*(?:忘记|忘記|忘掉|忘了|删除|刪除|刪掉|删掉)\s*[：:，,]?\s*(?:关于|關於)?(.+?)(?:的(?:一切|事情?|所有))?$/su,
    ],
  },
  {
    language: "Japanese",
    remember: [
      /^(?:覚えておいて|覚えて|おぼえておいて|記憶して)(?:ください|下さい|ね)?\s*[：:、,。]\s*(.+)$/su,
      /^(.+?)(?:という?ことを|ってことを|ことを|のを|のは|のこと|と|って|を)?[、,]?\s*(?:もう一度|また|もう一回)?(?:覚えておいて|覚えといて|覚えて|おぼえておいて|おぼえて|記憶しておいて|記憶して|忘れないで)(?:ください|下さい|ね|くれ|よ)*$/su,
    ],
    forget: [
      /^(?:忘れて)(?:ください|下さい)?\s*[：:、,]\s*(.+)$/su,
      /^(.+?)(?:という?ことを|ってことを|ことを|のことを|のことは|のこと|のを|は|を)?[、,]?\s*(?:全部)?(?:忘れて|消して)(?:ください|下さい|ね|くれ|よ)*$/su,
    ],
  },
  {
    language: "Korean",
    remember: [
      /^(?:기억해(?: ?줘| ?주세요)?|잊지 마(?:세요)?)\s*[:：,]\s*(.+)$/su,
      /^(.+?)(?:다는 것을|다는 걸|라는 것을|라는 걸|는 것을|는 걸|라고|고|을|를)?,? (?:다시 )?(?:꼭 )?(?:기억해|기억하세요|잊지 마)(?: ?줘| ?주세요|세요)?$/su,
    ],
    forget: [
      /^(.+?)(?:다는 것을|다는 걸|라는 것을|라는 걸|는 것을|는 걸|을|를|에 대해)?,? (?:모두 )?(?:잊어|잊으세요|지워)(?: ?줘| ?주세요|버려)?$/su,
    ],
  },
  {
    language: "Hindi",
    remember: [
      head(
        "(?:कृपया |फिर से |दोबारा |और |ये |यह )*(?:याद (?:रखना|रखो|रखें|रखिए|रखिये|रखिएगा|कर लो)|नोट (?:करो|कर लो|करें|करना)|ध्यान (?:रखना|रखो|रखें)|मत भूलना|भूलना मत)(?:,? कि)?",
      ),
      /^(.+?)[,،]? (?:यह |ये )?(?:फिर से )?याद (?:रखना|रखो|रखें|रखिए)$/su,
    ],
    forget: [
      head("(?:कृपया |और )*(?:भूल (?:जाओ|जाना|जाइए|जाएँ|जाएं))(?:,? कि)?"),
      /^(.+?)(?: के बारे में(?: सब(?: कुछ)?)?)?,? भूल (?:जाओ|जाना|जाइए)$/su,
    ],
  },
  {
    language: "Urdu",
    remember: [head("(?:براہ کرم )?یاد رکھ(?:نا|و|یں|یے)(?:،? کہ)?")],
    forget: [head("بھول جا(?:ؤ|نا|ئیں)(?:،? کہ)?")],
  },
  {
    language: "Bengali",
    remember: [head("(?:দয়া করে )?মনে (?:রেখো|রাখো|রাখবে|রাখবেন|রাখুন)(?:,? যে)?")],
    forget: [head("ভুলে যা(?:ও|ন)(?:,? যে)?")],
  },
  {
    language: "Arabic",
    remember: [
      head("(?:من فضلك،? |رجاءً،? )?(?:تذك[ّ]?ر(?:ي)?|احفظ(?:ي)?|لا تنس[ىَ]?|سج[ّ]?ل(?:ي)?)(?: مجددًا| مرة أخرى)?(?: أن[ّ]?)?"),
    ],
    forget: [head("(?:من فضلك،? )?(?:انس[َى]?|احذف)(?: كل شيء عن)?(?: أن[ّ]?)?")],
  },
  {
    language: "Persian",
    remember: [head("(?:لطفا[ًً]? )?(?:به یاد داشته باش(?:ید)?|یادت باش[ده]|به خاطر بسپار(?:ید)?|یادداشت کن)(?:،? که)?")],
    forget: [head("(?:لطفا[ًً]? )?فراموش کن(?:ید)?(?:،? که)?")],
  },
  {
    language: "Hebrew",
    remember: [/^(?:בבקשה )?(?:זכור|תזכור|תזכרי|זכרי|אל תשכח|אל תשכחי)\s*[,:]?\s*(?:ש(?=\S))?(.+)$/su],
    forget: [/^(?:בבקשה )?(?:תשכח|תשכחי|שכח|שכחי)\s*[,:]?\s*(?:ש(?=\S))?(.+)$/su],
  },
  {
    language: "Vietnamese",
    remember: [head("(?:hãy |xin |làm ơn )*(?:nhớ|ghi nhớ|đừng quên)(?: lại)?(?: rằng| là)")],
    forget: [head("(?:hãy |xin )*quên(?: đi)?(?: rằng| là)")],
  },
  {
    language: "Indonesian",
    remember: [head("(?:tolong |dan )*(?:ingat(?:lah)?|catat(?:lah)?|jangan lupa)(?: lagi)?(?: bahwa| bahawa| kalau|:)")],
    forget: [head("(?:tolong )*lupakan(?: bahwa| bahawa| kalau| soal| tentang)?(?= |:)")],
  },
  {
    language: "Swahili",
    remember: [head("(?:tafadhali )?kumbuka(?: tena)?(?: kwamba| kuwa|:)")],
    forget: [head("(?:tafadhali )?sahau(?: kwamba| kuwa)?(?= |:)")],
  },
  {
    language: "Thai",
    remember: [/^(?:โปรด|กรุณา|ช่วย)?(?:จำไว้ว่า|จำว่า|จดจำว่า|อย่าลืมว่า|จำไว้)\s*[:]?\s*(.+)$/su],
    forget: [/^(?:โปรด|กรุณา|ช่วย)?(?:ลืมว่า|ลืมเรื่อง|ลบ)\s*(.+)$/su],
  },
  {
    language: "Tagalog",
    remember: [head("(?:pakiusap,? )?(?:tandaan mo|tandaan)(?: na|ng)")],
    forget: [head("kalimutan mo(?: na|ng)?")],
  },
  {
    language: "Esperanto",
    remember: [head("(?:bonvolu )?(?:memoru|memori)(?:,? ke)")],
    forget: [head("(?:bonvolu )?forgesu(?:,? ke)?(?= |:)")],
  },
];

const tail = (content: string): string =>
  content
    .replace(/[.!。！।\s]+$/u, "")
    .replace(/^[\s:：,，、]+/u, "")
    .trim();

function find(sentence: string, which: "remember" | "forget"): Asked | null {
  for (const row of ROWS) {
    for (const form of row[which]) {
      const content = form.exec(sentence)?.[1];
      if (content && tail(content)) return { content: tail(content), language: row.language };
    }
  }
  return null;
}

/** What a sentence in another language than English asks to remember, or null. */
export const foreignRemember = (sentence: string): Asked | null => find(sentence, "remember");
/** What it asks to forget. */
export const foreignForget = (sentence: string): Asked | null => find(sentence, "forget");
