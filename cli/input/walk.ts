/** The files below a folder, where a folder in it that cannot be read does not end the run. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { causeOf } from '../file-cause.ts'
import { unreadableFile } from './file-error.ts'

/** How a folder is walked. */
export interface Walk {
  /** Whether the files of a folder of this name count. */
  readonly isEntered: (name: string) => boolean
  /** Takes each folder that cannot be read, with the cause. */
  readonly onSkipped: (folder: string, cause: string) => void
  readonly list?: (folder: string) => Promise<Dirent[]>
}

const entriesOf = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true })

async function* below(folder: string, walk: Walk, entries: readonly Dirent[]): AsyncGenerator<string> {
  const { isEntered, onSkipped, list = entriesOf } = walk
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && isEntered(entry.name)) {
      let inside: readonly Dirent[] = []
      try {
        inside = await list(path)
      } catch (error) {
        onSkipped(path, causeOf(error))
      }
      yield* below(path, walk, inside)
    }
  }
}

/**
 * The files below a folder, by names. Symbolic links are left out.
 * @throws SvcError `file-not-found`, `file-unreadable` where the folder itself cannot be read
 */
export async function* filesBelow(folder: string, walk: Walk): AsyncGenerator<string> {
  let entries: Dirent[]
  try {
    entries = await (walk.list ?? entriesOf)(folder)
  } catch (error) {
    throw await unreadableFile(folder, folder, error)
  }
  yield* below(folder, walk, entries)
}
