/** The older sides that watched documents are compared with. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SvcError } from '../../src/errors.ts'
import { splitStored } from '../input/document-side.ts'
import { splitRevision } from '../input/git/file.ts'
import { isAddress } from '../lint/rulesets.ts'
import { atRevision, sideOf } from '../project-file/base.ts'
import { apiOf, findProjectFile } from '../project-file/find.ts'

/** Whether a text names a document rather than a revision of all documents. */
const namesDocument = (base: string, cwd: string): boolean =>
  isAddress(base) || splitRevision(base) !== null || splitStored(base) !== null || existsSync(resolve(cwd, base))

export interface BaseOptions {
  readonly base: string | undefined
  readonly cwd: string
  /** Whether `svc.yaml` applies, and with which profile. */
  readonly projectFile: boolean
  readonly profile: string | null
}

/**
 * The name of the older side of each document; null for one that is compared with itself as it was when watching began.
 * @throws SvcError `usage` where one document is named for several; as `findProjectFile` does
 */
export async function basesOf(
  sources: readonly string[],
  { base, cwd, projectFile, profile }: BaseOptions,
): Promise<ReadonlyMap<string, string | null>> {
  if (base !== undefined) {
    const isDocument = namesDocument(base, cwd)
    if (isDocument && sources.length > 1)
      throw new SvcError('usage', {
        reason: `--base ${base} names one document, but ${sources.length} are watched; name a git revision, such as --base main`,
      })
    return new Map(sources.map((it) => [it, isDocument ? base : atRevision(base, it, cwd)]))
  }
  const file = projectFile ? await findProjectFile(cwd, profile) : null
  const baseOf = (source: string): string | null => {
    const api = file === null ? null : apiOf(file, resolve(cwd, source))
    const side = api?.compareWith ?? file?.defaults.compareWith ?? null
    if (side === null) return null
    const named = side.kind === 'version' && side.project === ''
    return sideOf(named ? { ...side, project: api?.project ?? api?.name ?? '' } : side, source, cwd)
  }
  return new Map(sources.map((it) => [it, baseOf(it)]))
}
