// The example memory: an invented translator in Ghent, as the statements from which it is made.
export const EXAMPLE_LINES: readonly string[] = [
  "My name is Mara and I translate novels from Portuguese into French",
  "I live in Ghent, Sleepstraat 112, second floor",
  "My younger sister Ana lives in Porto, in a flat above the tram line",
  "Ana is allergic to walnuts, not to hazelnuts",
  "Ana has a daughter, Inês",
  "Luc tunes pianos and kept mine in Lyon",
  "I bake the walnut cake from Lyon every December, but not while Ana is here",
  "I call Ana on Sunday evenings",
  "I am translating The Salt Year; chapter nine is due in February",
  "I need somebody in Ghent who is a dentist and speaks French",
  "I do not eat meat",
  "I write best in the mornings, before eight",
];
