/** Files of a release at the place from which an engine reads them. */
import type { ReleaseFile } from './file.ts'

/**
 * Coraza looks for schemas from the folder that it was started in: their paths are made absolute.
 * @param folder where the engine finds the files of the release; without quotes and backslashes
 */
export const placedIn = (file: ReleaseFile, folder: string): ReleaseFile =>
  file.path.endsWith('.conf')
    ? { ...file, text: file.text.replaceAll('@validateSchema schemas/', `@validateSchema ${folder}/schemas/`) }
    : file
