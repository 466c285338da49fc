import type { ConsumerImpact } from '../../contracts/impact.ts'
import type { Change } from '../../diff/change.ts'
import { plural } from '../../kernel/plural.ts'
import { escapeMarkdown, escapeSentence, inlineCode } from '../escape.ts'

const most = 20
const mostConsumers = 25

type Named = ConsumerImpact & { readonly name: string }

const reasonsOf = (consumer: Named, changes: readonly Change[]): readonly string[] => [
  ...consumer.losses.map((it) => `${escapeSentence(it.message)} ${inlineCode(it.reason)}`),
  ...consumer.changes
    .map((at) => changes[at])
    .filter((it) => it?.severity === 'breaking')
    .map((it) => `${escapeSentence(it?.message ?? '')} ${inlineCode(it?.id ?? '')}`),
]

const listOf = (title: string, consumers: readonly Named[], changes: readonly Change[]): string[] => {
  if (consumers.length === 0) return []
  const lines = [`#### ${title}`, '']
  for (const consumer of consumers.slice(0, mostConsumers)) {
    const reasons = reasonsOf(consumer, changes)
    lines.push(`- **${escapeMarkdown(consumer.name)}** ${inlineCode(consumer.handle)}`)
    lines.push(...reasons.slice(0, most).map((it) => `  - ${it}`))
    if (reasons.length > most) lines.push(`  - … and ${reasons.length - most} more`)
  }
  if (consumers.length > mostConsumers)
    lines.push(`- … and ${plural(consumers.length - mostConsumers, 'more consumer')}`)
  return [...lines, '']
}

/** The section on consumers of a markdown comparison: who breaks and by what, who may, and who does not. */
export const consumersAsMarkdown = (consumers: readonly Named[], changes: readonly Change[]): string => {
  const of = (status: ConsumerImpact['status']): readonly Named[] => consumers.filter((it) => it.status === status)
  const [broken, unknown, touched, unaffected] = [of('broken'), of('unknown'), of('touched'), of('unaffected')]
  const lines = ['### Consumers', '']
  if (consumers.length === 0) lines.push('No consumer of this project has declared a contract.', '')
  else if (broken.length + unknown.length === 0)
    lines.push(
      consumers.length === 1
        ? 'The only consumer is not affected.'
        : `None of the ${consumers.length} consumers is affected.`,
      '',
    )
  else
    lines.push(
      `${broken.length} of ${plural(consumers.length, 'consumer')} would break${unknown.length > 0 ? `, ${unknown.length} could not be decided` : ''}.`,
      '',
    )
  lines.push(...listOf('Would break', broken, changes), ...listOf('Could not be decided', unknown, changes))
  const fine = [...touched, ...unaffected].map((it) => it.handle).sort()
  if (fine.length > 0 && broken.length + unknown.length > 0)
    lines.push(
      `Not affected: ${fine.slice(0, 50).map(inlineCode).join(', ')}${fine.length > 50 ? ` and ${fine.length - 50} more` : ''}.`,
      '',
    )
  return `${lines.join('\n').trimEnd()}\n`
}
