/** The files that a result depends on beside its own document: those that references lead to. */
import { SvcError } from '../../src/errors.ts'
import type { Files } from './document-source.ts'
import { digestOf } from '../cache/cache.ts'

/** Files by their places, each with the digest of its text, or why it could not be read. */
export type FilesRead = readonly (readonly [place: string, state: string])[]

const stateOf = (text: string | SvcError): string =>
  typeof text === 'string' ? digestOf(text) : `not read: ${text.code}`

/** Notes what is read of files. */
export class FilesRecorder {
  readonly #read = new Map<string, string>()

  /** The same files, with a note of what is read. */
  watch(files: Files): Files {
    return {
      holds: (place) => files.holds(place),
      nameOf: (place) => files.nameOf(place),
      read: async (places) => {
        const texts = await files.read(places)
        places.forEach((place, index) => {
          const text = texts[index]
          if (text !== undefined) this.#read.set(place, stateOf(text))
        })
        return texts
      },
    }
  }

  /** What was read so far. */
  get read(): FilesRead {
    return [...this.#read]
  }
}

/** Whether files are what they were. */
export async function areUnchanged(read: FilesRead, files: Files): Promise<boolean> {
  if (read.length === 0) return true
  const texts = await files.read(read.map(([place]) => place))
  return read.every(([, state], index) => {
    const text = texts[index]
    return text !== undefined && stateOf(text) === state
  })
}
