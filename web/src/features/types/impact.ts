import type {
  ImpactedVersion,
  PrimitiveImpact,
  PrimitiveImpactJob,
} from '../../../../src/api/primitive-impact-shapes.ts'
import type { Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'

/** Whether an answer is the job that calculates an impact, and not the impact itself. */
export const isJob = (answer: PrimitiveImpact | PrimitiveImpactJob): answer is PrimitiveImpactJob => 'job_id' in answer

const ended: readonly PrimitiveImpactJob['status'][] = [
  'completed',
  'completed_with_warnings',
  'blocked',
  'failed',
  'cancelled',
]
export const hasEnded = ({ status }: Pick<PrimitiveImpactJob, 'status'>): boolean => ended.includes(status)

export const verdictTones: Readonly<Record<PrimitiveImpact['verdict'], Tone>> = {
  breaking: 'danger',
  unknown: 'warn',
  safe: 'ok',
}
export const verdictNames: Readonly<Record<PrimitiveImpact['verdict'], string>> = {
  breaking: 'breaks',
  unknown: 'undecided',
  safe: 'not affected',
}

/** What a change of a type means for those who use it, in one sentence. */
export const impactWords = ({ counts, direct, transitive }: PrimitiveImpact): string => {
  const types = direct.primitives + transitive.primitives
  const through = types === 0 ? '' : ` ${count(types, 'type', 'types')} ${types === 1 ? 'uses' : 'use'} it.`
  if (counts.versions === 0) return `No version of a project uses this type.${through}`
  const words = [
    ...(counts.breaking === 0 ? [] : [`breaks ${count(counts.breaking, 'version', 'versions')}`]),
    ...(counts.unknown === 0 ? [] : [`could not be decided for ${count(counts.unknown, 'version', 'versions')}`]),
    ...(counts.safe === 0 ? [] : [`is safe for ${count(counts.safe, 'version', 'versions')}`]),
  ]
  return `The change ${words.join(', ')}.${through}`
}

/** How a version uses a type, as far as that changes. */
export const directionWords = ({ directions, direct }: Pick<ImpactedVersion, 'directions' | 'direct'>): string => {
  const ways = directions.map((it) => (it === 'request' ? 'receives it' : 'sends it')).join(' and ')
  const how = direct ? '' : 'through other types'
  return [ways, how].filter(Boolean).join(', ')
}

/** Whether a change has to be looked at before it is saved: all but those of texts. */
export const needsLook = ({
  verdict,
  severity,
}: Pick<NonNullable<PrimitiveImpact['change']>, 'verdict' | 'severity'>): boolean =>
  verdict !== 'safe' || severity === 'breaking' || severity === 'non-breaking'
