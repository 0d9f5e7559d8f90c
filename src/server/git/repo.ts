// The repository as the other rooms see it: what it can be asked and told, by name.
export { commitChanges, type CommitResult } from "./commit-changes.ts";
export { diffTrees } from "./diff.ts";
export { commitAtTime, isAncestor, log, mergeBase, readCommit } from "./log.ts";
export { listFiles, readBlob, readFileAt, readTextAt } from "./read.ts";
