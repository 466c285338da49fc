/** How an overlay names the document that it is for. */
import { dirname, relative, resolve } from 'node:path'
import { isWebAddress } from '../../src/kernel/text.ts'
import { pathOf } from '../input/document-source.ts'

/**
 * A document as an overlay names it that is written to a file: an address, or the path from the folder of the overlay.
 * @returns null for what is no file: standard input, files of git revisions, stored versions
 */
export function extendsOf(
  { name, place }: { readonly name: string; readonly place: string },
  output: string | undefined,
  cwd: string,
): string | null {
  if (isWebAddress(place)) return place
  const path = pathOf(place)
  if (path === null || name === '-' || resolve(cwd, name) !== resolve(path)) return null
  const folder = output === undefined || output === '-' ? cwd : dirname(resolve(cwd, output))
  const way = relative(folder, path).replaceAll('\\', '/')
  return encodeURI(way.startsWith('.') ? way : `./${way}`)
}
