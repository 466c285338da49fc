/** Signs the index of an APT repository with a key of the caller's GnuPG. */
import { join } from 'node:path'
import { output } from './run.ts'

/**
 * Writes InRelease, which apt reads, and Release.gpg beside Release.
 * @param suiteFolder the folder of the suite: dists/SUITE
 * @param key what gpg finds the key by: a fingerprint or an address
 * @param time the time in the signatures, in seconds since 1970
 * @throws Error with the message of gpg, as where it has no such key
 */
export async function signApt(suiteFolder: string, key: string, time: number): Promise<void> {
  const release = join(suiteFolder, 'Release')
  // The time of the release instead of the present one: two builds have the same signature if the algorithm draws no number.
  const common = ['--batch', '--yes', `--faked-system-time=${time}!`, '--local-user', key, '--armor']
  const sign = (how: string, file: string): Promise<string> =>
    output(['gpg', ...common, '--output', join(suiteFolder, file), how, release])
  await sign('--clear-sign', 'InRelease')
  await sign('--detach-sign', 'Release.gpg')
}
