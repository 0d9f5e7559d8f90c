// The repository as the other rooms see it: what it can be asked and told, by name.
export { commitChanges, type CommitRequest, type CommitResult } from "./commit-changes.ts";
export { diffTrees, type FileChange } from "./diff.ts";
export { commitAtTime, isAncestor, log, mergeBase, readCommit, type LoggedCommit, type LogOptions } from "./log.ts";
export { listFiles, readBlob, readFileAt, readTextAt, readTree, treeEntry, treeOf, type ListedFile } from "./read.ts";
