/** The files that the design tools may read and change: those below the folder of `svc.yaml`, and nothing else. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { replaceFile } from '../../../server/disk/door.ts'
import { textOf } from '../../../src/document/text.ts'
import { SvcError } from '../../../src/errors.ts'
import { unwritableFile } from '../../input/file-error.ts'
import { assertBelow, readRegular } from '../../input/regular-file.ts'
import type { ProjectFile } from '../../project-file/find.ts'

/** Descriptions of people are smaller by far; a larger file is not changed by hand either. */
const mostBytes = 16 * 1024 * 1024

/** A file as it was when it was read. */
export interface OpenedFile {
  /** From the folder of `svc.yaml`, with slashes. */
  readonly name: string
  /** Where it really is, whatever links lead there. */
  readonly path: string
  readonly text: string
  /** "sha256:" and the hex digest of its bytes. */
  readonly digest: string
  readonly hasMark: boolean
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

const refused = (name: string, reason: string): SvcError => new SvcError('file-refused', { name, reason })

/** The text of a file as it is now; null where it cannot be read any more. */
const textNow = async (path: string): Promise<string | null> => {
  try {
    return textOf(await readRegular(path, path), path)
  } catch (error) {
    if (error instanceof SvcError) return null
    throw error
  }
}

/** Why a name is refused before the disk is looked at; null where it is not. */
function faultOf(name: string): string | null {
  const steps = name.split('/')
  if (name === '' || name.includes('\0')) return 'it names no file'
  if (name.includes('\\')) return 'its folders have to be separated by "/"'
  if (isAbsolute(name) || /^[a-z][a-z0-9+.-]*:/i.test(name))
    return 'files are named from the folder of svc.yaml, such as apis/shop.yaml'
  if (steps.includes('..')) return 'it leads out of the folder with ".."'
  if (steps.some((it) => it.toLowerCase() === '.git')) return 'it belongs to git'
  return null
}

/** Opens and changes files of one repository. */
export class Repository {
  readonly file: ProjectFile
  readonly #locks: string

  /**
   * @param file its `svc.yaml`
   * @param locks the folder for locks, outside of the repository
   */
  constructor(file: ProjectFile, locks: string) {
    this.file = file
    this.#locks = locks
  }

  get folder(): string {
    return this.file.folder
  }

  /** The path of a name, if it is one of a file below the folder. @throws SvcError `file-refused`, `file-not-found` */
  #pathOf(name: string): string {
    const fault = faultOf(name)
    if (fault !== null) throw refused(name, fault)
    const path = join(this.folder, name)
    try {
      assertBelow(this.folder, path, name)
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      throw refused(name, 'it is a link that leads out of the folder of svc.yaml')
    }
    try {
      // What a link inside leads to may be what is not to be touched.
      const real = lstatSync(path).isSymbolicLink() ? realpathSync.native(path) : path
      if (real !== path && real.split(/[\\/]/).includes('.git')) throw refused(name, 'it belongs to git')
      return real
    } catch (error) {
      if (error instanceof SvcError) throw error
      throw new SvcError('file-not-found', { name })
    }
  }

  /**
   * Reads a file.
   * @param name from the folder of `svc.yaml`, or the name of an API of it
   * @throws SvcError `file-refused` for what is outside, no regular file or larger than 16 MB; `file-not-found`,
   *   `file-is-folder`, `file-unreadable`, `document-invalid` for what is no text in UTF-8
   */
  async open(name: string): Promise<OpenedFile> {
    const api = this.file.apis.find((it) => it.name === name)
    const named = api === undefined ? null : api.root.slice(this.folder.length + 1).replaceAll('\\', '/')
    if (named !== null && api !== undefined && !api.root.startsWith(this.folder))
      throw refused(name, 'its document is outside of the folder of svc.yaml')
    const called = named ?? name.replace(/^(?:\.\/)+/, '')
    const path = this.#pathOf(called)
    const bytes = await readRegular(called, path, mostBytes)
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    return { name: called, path, text: textOf(bytes, called), digest: digestOf(bytes), hasMark }
  }

  /**
   * Writes a file that does not exist yet, in a folder that does.
   * @param name from the folder of `svc.yaml`
   * @throws SvcError `file-refused` for what is outside, exists, or is no JSON or YAML file; `file-unwritable`
   */
  create(name: string, text: string): void {
    const fault = faultOf(name) ?? (/\.(?:ya?ml|json)$/i.test(name) ? null : 'it must end in .yaml, .yml or .json')
    if (fault !== null) throw refused(name, fault)
    const path = join(this.folder, name)
    if (!existsSync(dirname(path))) throw refused(name, 'its folder does not exist')
    assertBelow(this.folder, dirname(path), name)
    try {
      writeFileSync(path, text, { flag: 'wx' })
    } catch (error) {
      if ((error as { code?: unknown }).code === 'EEXIST') throw refused(name, 'it exists; edit it as a file')
      throw unwritableFile(name, error)
    }
  }

  /**
   * Replaces a file that still is what was read, beside files that still are: other programs that change one of the folder with
   * this function wait.
   * @param beside the texts of the files that the edit was evaluated with, by their paths
   * @returns the digest that it has now, or the path of a file beside it that changed since: then nothing is written
   * @throws SvcError `edit-outdated` where it changed since, `file-unwritable`
   */
  async replace(
    opened: OpenedFile,
    text: string,
    beside: ReadonlyMap<string, string>,
  ): Promise<{ readonly digest: string } | { readonly changed: string }> {
    const { name, path, digest } = opened
    const bytes = new TextEncoder().encode(opened.hasMark && !text.startsWith('\uFEFF') ? `\uFEFF${text}` : text)
    const { alone } = await import('../../../db/file-lock.ts')
    return alone(this.#locks, [this.folder, path], async () => {
      // A link that was put there meanwhile leads elsewhere.
      if (this.#pathOf(name) !== path) throw refused(name, 'it became another file')
      const now = digestOf(await readRegular(name, path, mostBytes))
      if (now !== digest) throw new SvcError('edit-outdated', { name, digest: now })
      for (const [other, known] of beside)
        if (other !== path && (await textNow(other)) !== known) return { changed: other }
      try {
        replaceFile(path, bytes)
      } catch (error) {
        throw unwritableFile(name, error)
      }
      return { digest: digestOf(bytes) }
    })
  }
}
