import type { LintGuide } from '../guide-rules/door.ts'
import type { Named } from './subject.ts'
import type { TaskName } from './tasks/registry.ts'

/** A task as a message names it. */
export interface Titled {
  readonly name: string
  readonly input: unknown
  readonly subjects: readonly Pick<Named, 'source'>[]
}

const pairs: ReadonlySet<string> = new Set<TaskName>(['compare', 'impact', 'classify', 'migrations'])

/** What a task does, as the beginning of a sentence, and under what. */
export function titleOf({ name, input, subjects }: Titled): { what: string; under: string } {
  const [first = '', second = ''] = subjects.map(({ source }) => source)
  if (pairs.has(name)) return { what: `The comparison of ${first} with ${second}`, under: '' }
  if (name === 'look')
    return {
      what: `The analysis of ${first}`,
      under: ` under the style guide ${(input as { readonly guide: LintGuide }).guide.name}`,
    }
  if (name === 'rules') return { what: 'Reading the rules', under: '' }
  if (name === 'types' || name === 'type') return { what: 'Reading the types', under: '' }
  if (name === 'type-changes' || name === 'type-comparison') return { what: 'The comparison of the types', under: '' }
  if (name === 'gateway-release') return { what: 'Compiling the policy', under: '' }
  if (name === 'gateway-comparison') return { what: 'The comparison of the releases', under: '' }
  if (name === 'pact') return { what: 'Reading the contract test', under: '' }
  return { what: `Reading ${first === '' ? 'the files' : first}`, under: '' }
}
