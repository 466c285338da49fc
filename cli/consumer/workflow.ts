/** `svc consumer declare` of an Arazzo document: a workflow is a consumer of the operations that its steps call. */
import type { ConsumerContractRecord } from '../../src/api/consumer-shapes.ts'
import { usesOfWorkflows, type CallingStep, type WorkflowUses } from '../../src/contracts/workflow-uses.ts'
import { SvcError } from '../../src/errors.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import type { Invocation } from '../declare.ts'
import { loadWorkflows } from '../workflow/load.ts'

/** Whether a value is an Arazzo document. */
export const isArazzo = (value: Json): boolean => isObject(value) && typeof value.arazzo === 'string'

/**
 * What the workflows of a file use.
 * @param source the name of the source description that is the project; the only OpenAPI source where it is undefined
 * @throws SvcError `usage` for an unknown source, or where several are possible; as `loadWorkflows` does
 */
export async function usesOfFile(
  file: string,
  source: string | undefined,
  invocation: Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection' | 'globals'>,
): Promise<WorkflowUses> {
  const { document } = await loadWorkflows(file, new Map(), invocation)
  const names = [...document.sources].flatMap(([name, { kind }]) => (kind === 'openapi' ? [name] : []))
  const [only] = names
  if (source !== undefined && !names.includes(source)) {
    const near = suggest(source, names)
    const meant = near === null ? `; they are ${names.join(', ')}` : `; did you mean "${near}"?`
    throw new SvcError('usage', {
      reason: `No OpenAPI source of ${file} that can be read is named "${source}"${meant}`,
    })
  }
  if (source === undefined && (only === undefined || names.length > 1)) {
    const reason =
      only === undefined
        ? `No OpenAPI source of ${file} can be read`
        : `Say which source is the project with --source: ${names.join(', ')}`
    throw new SvcError('usage', { reason })
  }
  return usesOfWorkflows(document, source ?? only ?? '')
}

const named = ({ workflow, step }: CallingStep): string => `step "${step}" of workflow "${workflow}"`

/** What of a contract the steps lose: "step "pay" of workflow "order": POST /pay was removed since an earlier version." */
export function lostSteps({ steps, unknown }: WorkflowUses, { unresolved }: ConsumerContractRecord): readonly string[] {
  const lost = unresolved.flatMap(({ method, path, message }) =>
    (steps.get(`${method ?? ''} ${path ?? ''}`) ?? []).map((it) => `${named(it)}: ${message}`),
  )
  return [...new Set([...lost, ...unknown.map((it) => `${named(it)}: ${it.reason}.`)])]
}
