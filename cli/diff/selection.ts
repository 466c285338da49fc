/** The operations that changed, in the syntax of tools that test or generate. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { changedOperations, type ChangedOperation } from '../../src/diff/changed-operations.ts'
import { SvcError } from '../../src/errors.ts'
import { escapePattern } from '../../src/kernel/text.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { Invocation, Result } from '../declare.ts'
import { readSide } from '../input/document-side.ts'
import { namedApi } from '../project-file/compare.ts'
import { findProjectFile, shortName } from '../project-file/find.ts'

export const selectionTools = ['schemathesis', 'openapi-generator'] as const
type Tool = (typeof selectionTools)[number]

type SelectedInvocation = Invocation<{ readonly base: string | undefined; readonly head: string | undefined }, object>

/** Without blanks, so that a shell makes one word of it in `$(…)`. Schemathesis calls an operation by its method and path. */
const forSchemathesis = (operations: readonly ChangedOperation[]): string =>
  `--include-name-regex=^(${operations.map(({ method, path }) => `${method}\\s${escapePattern(path).replaceAll(/\s/g, '\\s')}`).join('|')})$`

/** A rule of the normalizer; operations without an id cannot be named in it. */
const forGenerator = (operations: readonly ChangedOperation[]): string =>
  `--openapi-normalizer=FILTER=operationId:${operations.map(({ operationId }) => operationId).join('|')}`

/** The newer documents of a comparison. @throws SvcError `usage` for a folder */
async function headsOf(invocation: SelectedInvocation): Promise<readonly string[]> {
  const { args, cwd } = invocation
  if (args.head === undefined) {
    const file = await findProjectFile(cwd)
    if (file === null) return []
    const apis = args.base === undefined ? file.apis : [namedApi(file, args.base, cwd)]
    return apis.map(({ root }) => shortName(root, cwd))
  }
  if ((await stat(resolve(cwd, args.head)).catch(() => null))?.isDirectory() === true)
    throw new SvcError('usage', { reason: '--as needs two documents, and not folders' })
  return [args.head]
}

/**
 * The result of a comparison with the selection of its operations in the place of its report: nothing where none changed.
 * @throws SvcError `usage` for folders; as `readSide` does
 */
export async function selectedResult(result: Result, tool: Tool, invocation: SelectedInvocation): Promise<Result> {
  const { io } = invocation
  const found: ChangedOperation[] = []
  for (const head of await headsOf(invocation)) {
    const { value } = await readSide(head, invocation)
    found.push(...changedOperations(result.changes ?? [], value))
  }
  const isNamed = ({ operationId }: ChangedOperation): boolean => tool === 'schemathesis' || operationId !== null
  const [operations, unnamed] = [found.filter(isNamed), found.filter((it) => !isNamed(it))]
  if (unnamed.length > 0)
    io.log.warn(
      `${plural(unnamed.length, 'operation')} cannot be selected without an operationId: ${unnamed.map(({ method, path }) => `${method} ${path}`).join(', ')}.`,
    )
  if (operations.length === 0) io.log.info('No operation changed: there is nothing to select.')
  const selection = tool === 'schemathesis' ? forSchemathesis : forGenerator
  const text = operations.length === 0 ? '' : `${selection(operations)}\n`
  return {
    ...result,
    summary: { ...result.summary, selection: { tool, operations, argument: text.trim() || null } },
    text,
  }
}
