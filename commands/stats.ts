import { SvcError } from '../src/errors.ts'
import { isBundled } from '../src/import/bundle/written.ts'
import { countDocument } from '../src/stats/stats.ts'
import { command, type Invocation, type Result } from '../cli/declare.ts'
import { readSide } from '../cli/input/document-side.ts'
import { boundTo, expandTargets } from '../cli/lint/targets.ts'
import { fileNamed } from '../cli/project-file/api-name.ts'
import { type Counted, renderMany, renderOne } from '../cli/stats/render.ts'

type StatsInvocation = Invocation<{ readonly files: readonly string[] }, { readonly format: 'text' | 'json' }>

/** Reads each document with the files that it refers to, and counts. */
async function countFiles(invocation: StatsInvocation): Promise<Result> {
  const { args } = invocation
  if (args.files.filter((it) => it === '-').length > 1)
    throw new SvcError('usage', { reason: 'Standard input can be read only once: give "-" once' })
  const named = await Promise.all(args.files.map((it) => fileNamed(it, invocation.cwd)))
  const expanded = await expandTargets(named, invocation)
  const { files, skipped } = expanded
  for (const { file, reason } of skipped) invocation.io.log.warn(`${file} was skipped: ${reason}`)
  const counted: Counted[] = []
  const failures: SvcError[] = []
  for (const file of files)
    try {
      const document = await readSide(file, boundTo(invocation, expanded, file))
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

export default command({
  summary: 'Count operations, schemas and missing descriptions of documents',
  description:
    'Counts paths, operations, schemas, parameters, references, tags, components that nothing uses, and how much has descriptions, examples and security. One document is shown in full, several as one line each. A document is counted with the files that it refers to.',
  examples: [
    'svc stats openapi.yaml',
    'svc stats apis',
    'svc stats openapi.yaml --format json',
    'svc stats petstore@1.2.0',
  ],
  arguments: [
    {
      name: 'files',
      summary:
        'files, folders, globs, APIs of svc.yaml, URLs or PROJECT@VERSION; - reads standard input (default: the current folder)',
      variadic: true,
      namesApis: true,
    },
  ],
  options: {
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: ['text', 'json'],
      default: 'text',
      summary: 'format of standard output',
    },
  },
  endsAtOnce: true,
  run: (invocation) => countFiles(invocation),
})
