/** Signs the index of an APT repository with a key of the caller's GnuPG. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { output } from './run.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether there is a gpg with this secret key. */
async function hasKey(key: string, env: Environment): Promise<boolean> {
  if (Bun.which('gpg') === null) return false
  return output(['gpg', '--batch', '--list-secret-keys', key], { env }).then(
    () => true,
    () => false,
  )
}

/**
 * Writes InRelease, which apt reads, and Release.gpg beside Release, and the public key as `key.asc`. The signatures have the time at which they are made, as a
 * key cannot have signed before it was there: of a release, only they differ from one build to the next.
 * @param folder the folder of the repository
 * @param apt the suite, and the fingerprint of the key
 * @param env says where the keys of gpg are (GNUPGHOME)
 * @returns whether the key is here: who checks a release of another publisher does not have it
 * @throws Error with the message of gpg where it cannot sign
 */
export async function signApt(
  folder: string,
  { suite, key }: { readonly suite: string; readonly key: string },
  env: Environment,
): Promise<boolean> {
  if (!(await hasKey(key, env))) return false
  const at = (name: string): string => join(folder, 'dists', suite, name)
  const gpg = (...words: readonly string[]): Promise<string> =>
    output(['gpg', '--batch', '--yes', '--local-user', `${key}!`, '--armor', ...words], { env })
  await gpg('--output', at('InRelease'), '--clear-sign', at('Release'))
  await gpg('--output', at('Release.gpg'), '--detach-sign', at('Release'))
  await writeFile(join(folder, 'key.asc'), await gpg('--export-options', 'export-minimal', '--export', key))
  return true
}
