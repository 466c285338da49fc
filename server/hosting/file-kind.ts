/** What a file of a repository is, by its beginning. Whole documents are read by analyses, not here. */
import { readBeginning } from '../../src/document/beginning.ts'
import { detectFormat } from '../../src/document/format.ts'
import { isObject } from '../../src/kernel/json.ts'

/** The kinds that files are listed as. */
export const fileKinds = ['openapi', 'swagger', 'arazzo', 'json-schema', 'mcp', 'asyncapi'] as const
export type FileKind = (typeof fileKinds)[number]

/**
 * What a file is, as its import would tell; null for anything else.
 * @param bytes the content of the file; only its first 64 KiB are read
 */
export function kindOf(path: string, bytes: Uint8Array): FileKind | null {
  const value = readBeginning(bytes)
  // An import takes a list of tools as well, but among all files of a repository a list with names is seldom one.
  if (!isObject(value)) return null
  const format = detectFormat(value)
  if (format !== null) return format.kind
  if (Object.hasOwn(value, 'asyncapi')) return 'asyncapi'
  return /\.schema\.(?:json|ya?ml)$/i.test(path) && Object.hasOwn(value, 'type') ? 'json-schema' : null
}
