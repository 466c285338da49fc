/** Runtime expressions of Arazzo: of 1.0 as far as Spectral's ruleset looks into them, of 1.1 by the grammar of its text. */
import { isObject, type Json, textOf } from '../../kernel/json.ts'
import { followPath, parsePointer } from '../../kernel/pointer.ts'
import { parseExpression } from '../../workflow/expression.ts'
import { componentsOf, isLater, workflowNamed, workflowsOf } from './parts.ts'

const beginnings =
  /^\$(?:url|method|statusCode|(?:request|response|message|inputs|outputs|steps|workflows|sourceDescriptions)\.|components\.(?:inputs|parameters|successActions|failureActions)\.)/

const name = '([A-Za-z0-9_\\\\-]+)'
const forms = {
  steps: new RegExp(`^\\$steps\\.${name}\\.`),
  workflows: new RegExp(`^\\$workflows\\.${name}\\.(.*)$`),
  inputs: new RegExp(`^\\$inputs\\.${name}$`),
  components: new RegExp(`^\\$components\\.(parameters|successActions|failureActions)\\.${name}$`),
}

/** The steps that an expression may name: those of one workflow, or of all. */
function hasStep(id: string, root: Json, workflow: number | null): boolean {
  const all = workflowsOf(root)
  const near = workflow === null ? all : all.filter((it) => it.index === workflow)
  return (near.length === 0 ? all : near).some(({ stepAt }) => stepAt.has(id))
}

/** The inputs that a workflow declares, itself or by a reference; null where nothing can be known of them. */
export function inputsOf(root: Json, workflow: number): ReadonlySet<string> | null {
  const found = workflowsOf(root).find((it) => it.index === workflow)
  let inputs = found?.value.inputs
  if (isObject(inputs) && typeof inputs.$ref === 'string' && !isObject(inputs.properties)) {
    const steps = inputs.$ref.startsWith('#/') ? parsePointer(inputs.$ref.slice(1)) : null
    inputs = steps === null ? undefined : followPath(root, steps)?.value
  }
  return isObject(inputs) && isObject(inputs.properties) ? new Set(Object.keys(inputs.properties)) : null
}

/** Whether a text is an expression of the grammar, and what it names is there. */
function resolves(text: string, root: Json, workflow: number | null): boolean {
  const named = parseExpression(text)
  switch (named?.kind) {
    case undefined:
      return false
    case 'steps':
      return hasStep(named.step, root, workflow)
    case 'workflows':
      return workflowNamed(root, named.workflow) !== undefined
    case 'components':
      return Object.hasOwn(componentsOf(root, named.type), named.name)
    case 'inputs':
      return workflow === null || isAmong(inputsOf(root, workflow), named.name)
    default:
      return true
  }
}

/** Whether a name is one of a set, alone or with what is taken out of its value: "user.id" of "user". Null means every name. */
export const isAmong = (names: ReadonlySet<string> | null, name: string): boolean =>
  names === null || names.has(name) || name.split('.').some((_, at, all) => names.has(all.slice(0, at).join('.')))

/** Whether a text is an expression that resolves; `workflow` is the index of the workflow that contains it. */
export function isExpression(text: string, root: Json, workflow: number | null = null): boolean {
  if (isLater(root)) return resolves(text, root, workflow)
  if (!beginnings.test(text)) return false
  if (text.startsWith('$steps.')) {
    const id = forms.steps.exec(text)?.[1]
    return id !== undefined && hasStep(id, root, workflow)
  }
  if (text.startsWith('$workflows.')) {
    const [, id, rest = ''] = forms.workflows.exec(text) ?? []
    const named = id === undefined ? undefined : workflowNamed(root, id)
    if (named === undefined) return false
    return rest.startsWith('steps.') ? isExpression(`$${rest}`, root, named.index) : true
  }
  if (text.startsWith('$inputs.')) {
    const id = forms.inputs.exec(text)?.[1]
    return id !== undefined && workflow !== null && inputsOf(root, workflow)?.has(id) === true
  }
  if (/^\$components\.(?:parameters|successActions|failureActions)\./.test(text)) {
    const [, kind = '', id = ''] = forms.components.exec(text) ?? []
    return Object.hasOwn(componentsOf(root, kind), id)
  }
  return true
}

/** The names of the sources of a document. */
export const sourceNames = (root: Json): ReadonlySet<string> =>
  new Set(
    isObject(root) && Array.isArray(root.sourceDescriptions)
      ? (root.sourceDescriptions as readonly Json[]).map((it) => textOf(isObject(it) ? it.name : undefined))
      : [],
  )
