// What goes wrong where the user can do something about it: a sentence for the terminal, never a stack.

/** The run cannot begin, or not go on; `message` says why and what to do. */
export class EvalProblem extends Error {}

/** The next call would pass the cap. */
export class CapReached extends EvalProblem {}
