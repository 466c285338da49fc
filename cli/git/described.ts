/** Whether the drivers of git look at a file: one of `svc.yaml`, or without one a description. */
import { resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { textOf } from '../../src/document/text.ts'
import { SvcError } from '../../src/errors.ts'
import { readRegular } from '../input/regular-file.ts'
import { apiOf, findProjectFile } from '../project-file/find.ts'

/** The document of a file that git gave; null for what is none: /dev/null, other bytes, another syntax, a text that cannot be read. */
export async function readDescribed(path: string, name: string, cwd: string): Promise<Document | null> {
  try {
    const text = textOf(await readRegular(name, resolve(cwd, path)), name)
    const document = parseDocument(text, { source: name })
    return document.problems.some(({ severity }) => severity === 'error') ? null : document
  } catch (error) {
    if (error instanceof SvcError) return null
    throw error
  }
}

/**
 * Whether a path of the repository is one that svc is asked about.
 * @param path from the current folder, which is the top of the repository
 */
export async function isOurs(path: string, documents: readonly Document[], cwd: string): Promise<boolean> {
  // A svc.yaml that is wrong is reported by every other command; a merge does not stop for it.
  const file = await findProjectFile(cwd).catch(() => null)
  if (file !== null) return apiOf(file, resolve(cwd, path)) !== null
  return documents.every(({ format }) => format !== null)
}
