// Parts of speech for words that the verb table does not know. compromise costs half a second to load and 300 KB, so it is loaded only for such a word.

type Tagger = (sentence: string) => { text: string; tags: string[] }[];

let loaded: Tagger | null = null;

/** Loads compromise; later calls are free. */
export async function loadTagger(): Promise<void> {
  if (loaded) return;
  const { default: nlp } = await import("compromise/two");
  loaded = (sentence) => {
    const [first] = nlp(sentence).json() as { terms: { text: string; tags: string[] }[] }[];
    return first?.terms ?? [];
  };
}

/** Whether the word is a verb where it stands; null while compromise is not loaded. */
export function taggedVerb(sentence: string, word: string): boolean | null {
  if (!loaded) return null;
  const term = loaded(sentence).find(({ text }) => text.replace(/\W+$/, "") === word);
  return term ? term.tags.includes("Verb") && !term.tags.includes("Gerund") : false;
}
