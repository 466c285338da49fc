/**
 * Normalizes a path inside a tree of files: slashes, no "." steps, no slash at the ends ("" is the tree itself).
 * Null for what leads out of the tree or is not a relative path: "..", a leading slash, a drive letter, a backslash, control characters.
 */
export const treePath = (text: string): string | null => {
  if (/^[/\\]|^[A-Za-z]:|\\|\p{Cc}/u.test(text)) return null
  const steps = text.split('/').filter((step) => step !== '' && step !== '.')
  return steps.includes('..') ? null : steps.join('/')
}

/** As `treePath`, for trees of git, where names may have backslashes, drive letters and control characters. */
export const gitPath = (text: string): string | null => {
  if (text.startsWith('/') || text.includes('\0')) return null
  const steps = text.split('/').filter((step) => step !== '' && step !== '.')
  return steps.includes('..') ? null : steps.join('/')
}

/** The folder of a file in a tree; "" for one at its top. */
export const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')

/** Whether a path is in a folder of a tree, or is it. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`)

const documentName = /\.(?:json|ya?ml)$/i

/** Whether a file's name says that it may be a document. */
export const isDocumentName = (path: string): boolean => documentName.test(path)

const descriptionName = /(?:^|[\\/.-])(?:openapi|swagger|arazzo)\.(?:ya?ml|json)$/i

/** Whether a file's name leaves no doubt that it is meant to be an API description, even where it is empty. */
export const isDescriptionName = (path: string): boolean => descriptionName.test(path)

/** The name of a file without its folders and its ending: "schemas/pet.schema.json" is "pet". */
export const stemOf = (path: string): string =>
  (path.split('/').at(-1) ?? '').replace(documentName, '').replace(/\.(?:schema|openapi|arazzo)$/i, '')
