/** Why an operation on a file failed, in words. Loaded by every command: it imports nothing. */

const causes: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the file system is read-only',
  ELOOP: 'its symbolic links form a circle',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the device reports an error',
}

/** The code of a failed file operation, such as `ENOENT`. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? error)

/** The cause of a failed file operation, for a sentence: "permission denied (EACCES)". */
export const causeOf = (error: unknown): string => {
  const code = codeOf(error)
  return causes[code] === undefined ? code : `${causes[code]} (${code})`
}
