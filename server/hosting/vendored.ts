/** Files of a repository that are not its authors' own, or not meant to be seen. */

const vendoredFolder =
  /(?:^|\/)(?:node_modules|vendor|vendored|third[_-]party|bower_components|\.venv|venv|site-packages|Pods|Carthage|dist|build|target|testdata\/vendor)\//i

/** Whether a file belongs to code of others, by the folder it is in. */
export const isVendored = (path: string): boolean => vendoredFolder.test(path)

/** What is marked in a list of files: code of others, and what a dot hides, be it the file or a folder on the way to it. */
export const marksOf = (path: string) => ({
  vendored: isVendored(path),
  hidden: path.split('/').some((part) => part.startsWith('.')),
})
