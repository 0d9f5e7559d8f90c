// "What do you know about …" in other languages than English: a table. The first group is the topic; none = the user.

const ABOUT: RegExp[] = [
  /^was weißt du (?:alles )?(?:noch )?(?:über|von|zu) (.+)$/i,
  /^was habe ich (?:dir )?(?:über|von|zu) (.+?) (?:erzählt|gesagt)$/i,
  /^¿?qu[eé] (?:sabes|recuerdas|te dije|te cont[eé]) (?:de|sobre|acerca de) (.+)$/i,
  /^(?:que sais[- ]tu|qu'est[- ]ce que tu sais|qu’est[- ]ce que tu sais) (?:de|sur|à propos de) (.+)$/i,
  /^(?:che )?cosa (?:sai|ricordi) (?:di|su) (.+)$/i,
  /^(?:o )?que (?:sabes|sabe|você sabe|te disse) (?:sobre|de|a respeito de) (.+)$/i,
  /^wat weet je (?:over|van) (.+)$/i,
  /^co wiesz o (.+)$/i,
  /^co víš o (.+)$/i,
  /^что ты (?:знаешь|помнишь) (?:обо|об|о|про) (.+)$/i,
  /^vad vet du om (.+)$/i,
  /^hva(?:d)? ved du om (.+)$/i,
  /^hva vet du om (.+)$/i,
  /^mitä tiedät (.+?)(?:sta|stä)$/i,
  /^(.+?) hakkında ne biliyorsun$/i,
  /^(?:关于|關於)?(.+?)[，,]?(?:你)?(?:知道|记得|記得)(?:些|了)?(?:什么|什麼)$/,
  /^你(?:知道|记得|記得)(?:关于|關於)?(.+?)(?:的)?(?:什么|什麼|哪些)(?:事情?)?(?:吗|嗎)?$/,
  /^(.+?)(?:について|のこと)(?:は|を)?何を?(?:知って|覚えて)(?:いますか|いる|る|ますか)?$/,
  /^(.+?)(?:에 대해|에 관해)(?:서)? (?:무엇을|뭘|뭐) 알(?:아|고 있어|고 있나요)$/,
  /^(.+?) के बारे में (?:क्या|तुम क्या|आप क्या) (?:जानते|पता|याद).*$/,
];
const ME = /^(?:mich|mir|mí|moi|me|mim|mij|mnie|mně|мне|меня|mig|meg|benim|我|私|나|मेरे)$/i;

/** Topic of a question of this kind; empty = the user; null = none of these. */
export function foreignTopic(question: string): string | null {
  const plain = question.replace(/[?？！!。.\s]+$/u, "").trim();
  for (const form of ABOUT) {
    const topic = form.exec(plain)?.[1]?.trim();
    if (topic) return ME.test(topic) ? "" : topic;
  }
  return null;
}
