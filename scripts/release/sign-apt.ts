/** Signs the index of an APT repository with a key of the caller's GnuPG. */
import { join } from 'node:path'
import { output } from './run.ts'

/**
 * Checks that there is a key to sign with.
 * @throws Error where gpg has no such secret key
 */
export async function assertKey(key: string): Promise<void> {
  const found = await output(['gpg', '--batch', '--list-secret-keys', key]).catch(() => null)
  if (found === null)
    throw new Error(`gpg has no secret key "${key}"; "gpg --list-secret-keys" lists those that --apt-key can name.`)
}

/**
 * Writes InRelease, which apt reads, and Release.gpg beside Release. They have the time at which they are made, as a key cannot have signed before it was
 * there: of a release, only they differ from one build to the next.
 * @param suiteFolder the folder of the suite: dists/SUITE
 * @param key what gpg finds the key by: a fingerprint or an address
 * @throws Error with the message of gpg, as where it has no such key
 */
export async function signApt(suiteFolder: string, key: string): Promise<void> {
  const release = join(suiteFolder, 'Release')
  const common = ['--batch', '--yes', '--local-user', key, '--armor']
  const sign = (how: string, file: string): Promise<string> =>
    output(['gpg', ...common, '--output', join(suiteFolder, file), how, release])
  await sign('--clear-sign', 'InRelease')
  await sign('--detach-sign', 'Release.gpg')
}
