import { SvcError } from '../../src/errors.ts'

let files: readonly string[] = []
let texts: readonly string[] | undefined

/**
 * Trusts certificate authorities beside the known ones, in this whole process: for every connection of the egress guard.
 * @param list paths of PEM files, separated by commas; they are read with the first connection
 */
export function trustAuthorities(list: string): void {
  files = list
    .split(',')
    .map((path) => path.trim())
    .filter(Boolean)
  texts = undefined
}

/**
 * The certificates that are trusted beside the known ones, as PEM texts.
 * @throws SvcError `config-invalid` for a file that cannot be read or holds no certificate
 */
export async function trustedAuthorities(): Promise<readonly string[]> {
  texts ??= await Promise.all(
    files.map(async (path) => {
      const text = await Bun.file(path)
        .text()
        .catch(() => '')
      if (!text.includes('-----BEGIN CERTIFICATE-----'))
        throw new SvcError('config-invalid', { problems: [`SVC_EGRESS_CA: ${path} is not a readable PEM file`] })
      return text
    }),
  )
  return texts
}
