/** The names of documents in reports and baselines, which do not depend on how a command line writes them. */
import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { splitStored } from '../input/document-side.ts'

const isFile = (source: string, cwd: string): boolean =>
  source !== '-' &&
  !/^[a-z][a-z0-9+.-]+:\/\//i.test(source) &&
  (splitStored(source) === null || existsSync(resolve(cwd, source)))

/** A function that names sources: files by their path from a folder, with "/"; addresses, "-" and PROJECT@VERSION as they are. */
export function nameFrom(folder: string, cwd: string): (source: string) => string {
  const known = new Map<string, string>()
  return (source) => {
    let name = known.get(source)
    if (name === undefined) {
      const path = relative(resolve(cwd, folder), resolve(cwd, source))
      name = isFile(source, cwd) ? path.replaceAll('\\', '/') : source
      known.set(source, name)
    }
    return name
  }
}

/** The same for the files of a list that is in a file of its own. */
export const nameFromFile = (file: string, cwd: string): ((source: string) => string) =>
  nameFrom(dirname(resolve(cwd, file)), cwd)
