/** `svc stats`. */
import { SvcError } from '../../src/errors.ts'
import { isBundled } from '../../src/import/bundle/written.ts'
import { countDocument } from '../../src/stats/stats.ts'
import type { Invocation, Result } from '../declare.ts'
import { readSide } from '../input/document-side.ts'
import { expandTargets } from '../lint/targets.ts'
import { fileNamed } from '../project-file/api-name.ts'
import { type Counted, renderMany, renderOne } from './render.ts'

type StatsInvocation = Invocation<{ readonly files: readonly string[] }, { readonly format: 'text' | 'json' }>

/** Reads each document with the files that it refers to, and counts. */
export async function countFiles(invocation: StatsInvocation): Promise<Result> {
  const { args } = invocation
  if (args.files.filter((it) => it === '-').length > 1)
    throw new SvcError('usage', { reason: 'Standard input can be read only once: give "-" once' })
  const named = await Promise.all(args.files.map((it) => fileNamed(it, invocation.cwd)))
  const { files, skipped } = await expandTargets(named, invocation)
  for (const { file, reason } of skipped) invocation.io.log.warn(`${file} was skipped: ${reason}`)
  const counted: Counted[] = []
  const failures: SvcError[] = []
  for (const file of files)
    try {
      const document = await readSide(file, invocation)
      counted.push({ file, files: isBundled(document) ? document.files.length : 1, ...countDocument(document) })
    } catch (error) {
      // The others are counted nevertheless.
      if (!(error instanceof SvcError) || files.length === 1) throw error
      failures.push(error)
    }
  const [only, ...others] = counted
  return {
    failures,
    data: { documents: counted },
    text: only !== undefined && others.length === 0 ? renderOne(only) : renderMany(counted),
  }
}
