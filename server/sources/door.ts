/** What other rooms use of sources. */
export { detectArchive, treeOfArchive } from './archive.ts'
export { treeOfFiles } from './files.ts'
export { checkRepository, readGitAddress, readGitRef, type GitAddress } from './git/address.ts'
export { prepareGit, runGit, type GitPlace, type GitResult } from './git/command.ts'
export { GitFailure, type GitFailureKind, readBatch, readTree, reasonIn, type TreeEntry } from './git/output.ts'
export type { Reach } from './reach.ts'
export { readTexts, type SourceFile, type SourceTexts } from './texts.ts'
export { scopeOf, sortPaths, treeLimits, type Scope, type Tree } from './tree.ts'
