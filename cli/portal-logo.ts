/** The logo of a portal from a file. */
import { Buffer } from 'node:buffer'
import { extname, resolve } from 'node:path'
import type { Invocation } from './declare.ts'
import { readRegular } from './input/regular-file.ts'
import { usageError } from './usage-error.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
}
const mostBytes = 64 * 1024

/**
 * A picture as the `data:` URL (RFC 2397) that the service takes.
 * @throws SvcError `file-not-found`, `file-is-folder`, `file-unreadable`; `usage` for another kind of file or a larger one
 */
export async function readLogo(name: string, { cwd }: Pick<Invocation, 'cwd'>): Promise<string> {
  const type = mediaTypes[extname(name).toLowerCase()]
  if (type === undefined)
    throw usageError(`The logo "${name}" is no picture that a portal takes: give a .png, .webp or .svg file.`)
  const bytes = await readRegular(name, resolve(cwd, name))
  if (bytes.length > mostBytes)
    throw usageError(`The logo "${name}" has ${Math.ceil(bytes.length / 1024)} kB; at most 64 kB are taken.`)
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}
