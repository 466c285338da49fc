/** The environment of a test run: folders of its own, and nothing that the caller has set for svc. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fastFolder } from '../test/fixtures/fast-folder.ts'

interface TestEnvironment {
  readonly variables: Readonly<Record<string, string>>
  /** Removes the folders with everything that the run wrote there. */
  readonly remove: () => void
}

/**
 * Makes an empty home folder and an empty folder for temporary files.
 * @param from the environment of the caller
 * @returns its variables without those of svc (`SVC_*`) and of user folders (`XDG_*`), pointing at the new folders
 */
export const makeTestEnvironment = (from: Readonly<Record<string, string | undefined>>): TestEnvironment => {
  const folder = mkdtempSync(join(fastFolder(), 'svc-t-'))
  // Where the tests run as root, Postgres runs as `nobody` and has to reach its files.
  chmodSync(folder, 0o711)
  // Short names: the path of a socket has about a hundred bytes.
  const [home, temporary] = [join(folder, 'home'), join(folder, 't')]
  for (const made of [home, temporary]) mkdirSync(made)
  // As /tmp: Postgres removes its folder itself.
  chmodSync(temporary, 0o1777)
  const kept = Object.entries(from).flatMap(([name, value]) =>
    value === undefined || /^(SVC|XDG)_/i.test(name) ? [] : [[name, value] as const],
  )
  const variables = {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: join(home, 'AppData', 'Local'),
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    // What Bun keeps of large sources: not something that tests write.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(import.meta.dir, '..', 'node_modules', '.cache', 'bun'),
  }
  return { variables, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
