/** The inputs of `svc run`: from options, from a file, and secrets from the environment. */
import { SvcError } from '../../src/errors.ts'
import { isObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { checkInputs, readInput, withDefaults } from '../../src/workflow/inputs.ts'
import { derefObject } from '../../src/workflow/openapi.ts'
import type { WorkflowDocument } from '../../src/workflow/document.ts'
import type { Invocation } from '../declare.ts'
import { readSettings } from '../input/documents.ts'
import type { RunOptions } from './options.ts'

/** NAME=VALUE of an option, as a map. @throws SvcError `usage` */
export function pairsOf(option: string, list: readonly string[], what: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const text of list) {
    const at = text.indexOf('=')
    if (at < 1) throw new SvcError('usage', { reason: `--${option} takes NAME=${what}, not "${text}"` })
    const name = text.slice(0, at)
    if (pairs.has(name)) throw new SvcError('usage', { reason: `--${option} is given twice for "${name}"` })
    pairs.set(name, text.slice(at + 1))
  }
  return pairs
}

/** Inputs as they were given, before their schemas are known. */
export interface GivenInputs {
  readonly texts: ReadonlyMap<string, string>
  readonly values: JsonObject
  readonly secrets: ReadonlyMap<string, string>
}

function secretsOf(list: readonly string[], env: Invocation['env']): ReadonlyMap<string, string> {
  return new Map(
    list.map((text) => {
      const at = text.indexOf('=')
      const [name, variable] = at === -1 ? [text, text] : [text.slice(0, at), text.slice(at + 1)]
      const value = env[variable]
      if (value === undefined || value === '')
        throw new SvcError('usage', { reason: `The environment variable ${variable} of --secret ${name} is not set` })
      return [name, value] as const
    }),
  )
}

/**
 * Reads what the command line says of inputs.
 * @throws SvcError `usage` for a wrong option or an empty variable; as `readSettings` does for the file
 */
export async function readInputs(
  options: RunOptions,
  { cwd, env }: Pick<Invocation, 'cwd' | 'env'>,
): Promise<GivenInputs> {
  const document = options.inputs === undefined ? null : await readSettings(options.inputs, cwd)
  if (document !== null && !isObject(document.value))
    throw new SvcError('usage', { reason: `${options.inputs} does not contain an object with inputs` })
  return {
    texts: pairsOf('input', options.input, 'VALUE'),
    values: document !== null && isObject(document.value) ? document.value : {},
    secrets: secretsOf(options.secret, env),
  }
}

/** The inputs of one workflow: those that it declares, or all where it declares none by name. */
export function inputsFor({ root }: WorkflowDocument, workflow: JsonObject, given: GivenInputs): JsonObject {
  const { properties } = derefObject(root, workflow.inputs)
  const inputs: Record<string, Json> = { ...given.values }
  for (const [name, text] of given.texts) inputs[name] = readInput(root, workflow, name, text)
  for (const [name, text] of given.secrets) inputs[name] = text
  if (!isObject(properties)) return inputs
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => Object.hasOwn(properties, name)))
}

/**
 * Rejects inputs that none of the workflows declares: a misspelt name would be silently left out.
 * @throws SvcError `usage`
 */
export function assertDeclared({ root }: WorkflowDocument, workflows: readonly JsonObject[], given: GivenInputs): void {
  const known = workflows.map(({ inputs }) => derefObject(root, inputs).properties)
  if (known.some((it) => !isObject(it))) return
  const names = known.flatMap((it) => (isObject(it) ? Object.keys(it) : []))
  for (const name of [...given.texts.keys(), ...given.secrets.keys()]) {
    if (names.includes(name)) continue
    const near = suggest(name, names)
    const meant = near === null ? `; its inputs are ${names.join(', ')}` : `; did you mean "${near}"?`
    throw new SvcError('usage', { reason: `The workflow has no input "${name}"${meant}` })
  }
}

/**
 * Rejects inputs that a workflow cannot begin with.
 * @throws SvcError `usage`
 */
export function assertComplete(document: WorkflowDocument, workflow: JsonObject, given: GivenInputs): void {
  const { root } = document
  const faults = checkInputs(root, workflow, withDefaults(root, workflow, inputsFor(document, workflow, given)))
  if (faults.length === 0) return
  const id = typeof workflow.workflowId === 'string' ? workflow.workflowId : ''
  throw new SvcError('usage', {
    reason: `The workflow "${id}" cannot begin: ${faults.join('; ')}; use --input NAME=VALUE`,
  })
}
