/**
 * The folder of an agent. `current` is a link that always names a complete, verified release: files are written aside, synced and
 * renamed, and the link is replaced by renaming another one over it.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bundle } from '../../../src/gateway/agent/bundle.ts'
import { sha256Of } from '../../../src/gateway/release/digest.ts'
import { placedIn } from '../../../src/gateway/release/place.ts'

/** What is kept of a release beside its files: everything but their texts. The digests are those of the files on disk. */
export type Manifest = Omit<Bundle, 'files'> & {
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
}

/** The folder of the release that does nothing: what `current` names before the first release. */
export const emptyRelease = 'empty'
const emptyText =
  '# No release yet: nothing is checked and nothing is refused.\nSecRuleEngine Off\nSecAuditEngine Off\n'
const manifestName = 'release.json'

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT'

/** What each release gets beside its own files, from the folder of the agent and that of the release: texts by path. The empty one has no digest. */
export type Besides = (folder: string, release: string, digest: string | null) => ReadonlyMap<string, string>

export class Folder {
  readonly path: string
  readonly #before: (step: string) => void

  readonly #syncFile: (file: number) => void
  readonly #besides: Besides

  /**
   * @param besides what each release gets beside its own files
   * @param before is called before each step that changes the folder; tests let it throw
   * @param syncFile waits until a file is on the disk
   */
  constructor(
    path: string,
    besides: Besides = () => new Map(),
    before: (step: string) => void = () => undefined,
    syncFile = fsyncSync,
  ) {
    this.path = path
    this.#besides = besides
    this.#before = before
    this.#syncFile = syncFile
  }

  at(...parts: readonly string[]): string {
    return join(this.path, ...parts)
  }

  #step<T>(name: string, change: () => T): T {
    this.#before(name)
    return change()
  }

  #sync(path: string): void {
    const file = openSync(path, 'r')
    try {
      this.#syncFile(file)
    } finally {
      closeSync(file)
    }
  }

  #writeFile(path: string, content: string | Uint8Array, mode: number): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
    const file = this.#step(`create ${path}`, () => openSync(path, 'w', mode))
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
      for (let from = 0; from < bytes.length;)
        from += this.#step(`write ${path}`, () => writeSync(file, bytes, from, Math.min(bytes.length - from, 1 << 20)))
      this.#step(`sync ${path}`, () => this.#syncFile(file))
    } finally {
      closeSync(file)
    }
  }

  /** Replaces a file at once: who reads it sees the old or the new content. */
  replace(name: string, content: string | Uint8Array, mode = 0o600): void {
    const path = this.at(name)
    this.#writeFile(`${path}.new`, content, mode)
    this.#step(`rename ${path}`, () => renameSync(`${path}.new`, path))
    this.#sync(dirname(path))
  }

  read(name: string): string | null {
    try {
      return readFileSync(this.at(name), 'utf8')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  remove(...parts: readonly string[]): void {
    this.#step(`remove ${this.at(...parts)}`, () => rmSync(this.at(...parts), { recursive: true, force: true }))
  }

  list(...parts: readonly string[]): string[] {
    try {
      return readdirSync(this.at(...parts)).toSorted()
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  /** Makes what an agent needs, and a link to the empty release where there is none. Leftovers of a crash are removed. */
  prepare(): void {
    for (const name of ['releases', 'spool', 'check']) mkdirSync(this.at(name), { recursive: true, mode: 0o755 })
    for (const name of this.list('releases')) if (name.startsWith('.')) this.remove('releases', name)
    if (!existsSync(this.at('releases', emptyRelease, 'svc.conf')))
      this.#place(emptyRelease, new Map([['svc.conf', emptyText], ...this.#more(emptyRelease)]))
    if (this.current() === null) this.point(null)
  }

  /** Writes a release aside and gives it its name when all of it is on the disk. A part of one takes no space. */
  #place(name: string, files: ReadonlyMap<string, string>): void {
    const aside = `.new-${name}`
    this.remove('releases', aside)
    try {
      this.#writeAside(aside, files)
    } catch (error) {
      try {
        this.remove('releases', aside)
      } catch {
        // The next start removes it.
      }
      throw error
    }
    const place = this.at('releases', name)
    if (existsSync(place)) this.#step(`move ${place}`, () => renameSync(place, this.at('releases', `.old-${name}`)))
    this.#step(`rename ${place}`, () => renameSync(this.at('releases', aside), place))
    this.#sync(this.at('releases'))
    this.remove('releases', `.old-${name}`)
  }

  #writeAside(aside: string, files: ReadonlyMap<string, string>): void {
    const base = this.at('releases', aside)
    const folders = new Set([base])
    for (const [path, text] of files) {
      const target = join(base, path)
      // The user of the engine reads its files; the manifest has a key, which only the agent reads.
      this.#writeFile(target, text, path === manifestName ? 0o600 : 0o644)
      for (let folder = dirname(target); folder.length > base.length; folder = dirname(folder)) folders.add(folder)
    }
    for (const folder of folders) this.#sync(folder)
  }

  #more(name: string): [string, string][] {
    return [...this.#besides(this.path, this.at('releases', name), name === emptyRelease ? null : name)]
  }

  /** Stores a verified release; one that is there already gets its newer manifest. */
  store(bundle: Bundle): void {
    const { files: sent, ...rest } = bundle
    const place = this.at('releases', bundle.digest)
    const own = sent.map(({ path, text }) => placedIn({ path, text }, place))
    const files = [...own, ...this.#more(bundle.digest).map(([path, text]) => ({ path, text }))]
    const manifest: Manifest = { ...rest, files: files.map(({ path, text }) => ({ path, sha256: sha256Of(text) })) }
    const content = `${JSON.stringify(manifest)}\n`
    if (this.isWhole(bundle.digest)) {
      this.replace(join('releases', bundle.digest, manifestName), content)
      return
    }
    this.#place(bundle.digest, new Map([...files.map((it) => [it.path, it.text] as const), [manifestName, content]]))
  }

  manifest(digest: string): Manifest | null {
    const text = this.read(join('releases', digest, manifestName))
    try {
      return text === null ? null : (JSON.parse(text) as Manifest)
    } catch {
      return null
    }
  }

  /** Whether all files of a release are there with the content that was signed. */
  isWhole(digest: string): boolean {
    const manifest = this.manifest(digest)
    return (
      manifest?.digest === digest &&
      manifest.files.every(({ path, sha256: digestOnDisk }) => {
        const text = this.read(join('releases', digest, path))
        return text !== null && sha256Of(text) === digestOnDisk
      })
    )
  }

  /** Lets the link name a release; null: the empty one. */
  point(digest: string | null): void {
    const name = digest ?? emptyRelease
    this.remove('.current-new')
    this.#step('link', () => symlinkSync(join('releases', name), this.at('.current-new')))
    this.#step('swap', () => renameSync(this.at('.current-new'), this.at('current')))
    this.#sync(this.path)
  }

  /** The name of the release that the link names; null: there is no link. */
  current(): string | null {
    try {
      return lstatSync(this.at('current')).isSymbolicLink()
        ? (readlinkSync(this.at('current')).split('/').at(-1) ?? null)
        : null
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** Removes releases that are not among those to keep, and never the one in use. */
  prune(keep: readonly string[]): void {
    const kept = new Set([...keep, emptyRelease, this.current()])
    for (const name of this.list('releases')) if (!kept.has(name)) this.remove('releases', name)
  }
}
