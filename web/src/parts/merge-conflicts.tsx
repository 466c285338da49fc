import type { bindingsApi } from '../../../src/api/bindings.ts'
import type { Output } from '../../../src/api/endpoint.ts'
import { Button } from './button.tsx'
import { Choices } from './choices.tsx'
import { count } from './text.ts'
import { writeJson } from './json.tsx'
import { Badge } from './badge.tsx'
import { Section } from './page.tsx'
import { DiffLines } from './text-diff.tsx'

export type Merge = Output<typeof bindingsApi.mergeWith>

/** What the two sides are called. */
export interface SideWords {
  /** What choosing one of them does. */
  readonly keep: string
  readonly take: string
  readonly mine: string
  readonly theirs: string
}
const ofRepository: SideWords = {
  keep: 'Keep the draft',
  take: 'Take the repository',
  mine: 'In the draft',
  theirs: 'In the repository',
}
type Conflict = Merge['conflicts'][number]
type ConflictSide = 'mine' | 'theirs'

/** What was decided, by the id of the conflict. Nothing is decided beforehand. */
export type Sides = ReadonlyMap<string, ConflictSide>

export const undecided: Sides = new Map()

/** The sides with some of them decided. */
export const decide = (before: Sides, ids: readonly string[], side: ConflictSide): Sides =>
  new Map([...before, ...ids.map((id) => [id, side] as const)])

/** The conflicts at which the other side is taken. */
export const theirsIn = (sides: Sides): readonly string[] =>
  [...sides].flatMap(([id, side]) => (side === 'theirs' ? [id] : [])).toSorted()

/** How many of the conflicts that are shown were decided. */
export const decidedIn = ({ conflicts }: Pick<Merge, 'conflicts'>, sides: Sides): number =>
  conflicts.filter(({ id }) => sides.has(id)).length

const written = (value: unknown): string => (value === null ? '' : writeJson(value))

/** What one side did at a place: the lines that differ from what both began with. */
const Side = ({ name, base, value, isResult }: { name: string; base: unknown; value: unknown; isResult: boolean }) => (
  <div className="grid min-w-0 content-start gap-1">
    <p className="flex flex-wrap items-center gap-x-2 text-xs font-medium text-soft">
      {name}
      {isResult ? <Badge tone="ok">in the result</Badge> : null}
    </p>
    {value === null && base === null ? (
      <p className="text-sm text-soft">not present</p>
    ) : (
      <div className={`rounded-md border ${isResult ? 'border-ok' : ''}`}>
        <DiffLines label={`${name}: what changed`} before={written(base)} after={written(value)} />
      </div>
    )}
  </div>
)

/** One place that both sides changed, or where their changes do not fit together, with what each has there. */
const ConflictCard = ({
  conflict,
  side,
  words,
  onChoose,
}: {
  conflict: Conflict
  /** Null until it is decided. */
  side: ConflictSide | null
  words: SideWords
  /** Left out where nothing can be chosen. */
  onChoose?: (side: ConflictSide) => void
}) => (
  <li className="grid gap-3 px-4 py-3">
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0">
        <h3 className="font-medium wrap-anywhere">{conflict.subject}</h3>
        <code className="font-mono text-xs break-all text-soft">{conflict.pointer}</code>
      </div>
      {onChoose ? (
        <Choices
          label={`Result at ${conflict.pointer}`}
          value={side}
          choices={[
            { value: 'mine', name: words.keep },
            { value: 'theirs', name: words.take },
          ]}
          onChange={(next) => {
            if (next !== null) onChoose(next === 'theirs' ? 'theirs' : 'mine')
          }}
        />
      ) : null}
    </div>
    {conflict.reason === undefined ? null : (
      <p className="text-sm wrap-anywhere">With both changes, {conflict.reason}.</p>
    )}
    <div className="grid gap-3 md:grid-cols-2">
      <Side name={words.mine} base={conflict.base} value={conflict.mine} isResult={side === 'mine'} />
      <Side name={words.theirs} base={conflict.base} value={conflict.theirs} isResult={side === 'theirs'} />
    </div>
  </li>
)

/** The places that both sides changed, or where their changes do not fit together, and what the draft gets at each. */
export const Conflicts = ({
  merge,
  sides,
  words = ofRepository,
  onChoose,
}: {
  merge: Pick<Merge, 'conflicts' | 'conflicts_total'>
  sides: Sides
  words?: SideWords
  onChoose?: (ids: readonly string[], side: ConflictSide) => void
}) => {
  const all = merge.conflicts.map(({ id }) => id)
  const isAll = (side: ConflictSide): boolean => all.every((it) => sides.get(it) === side)
  return (
    <Section
      title={count(merge.conflicts_total, 'conflict', 'conflicts')}
      description={
        merge.conflicts_total > merge.conflicts.length
          ? `The first ${merge.conflicts.length} are shown; at the others: ${words.keep.toLowerCase()}.`
          : `${decidedIn(merge, sides)} of ${all.length} decided. Everything else merges automatically.`
      }
      actions={
        onChoose ? (
          <span className="flex flex-wrap items-center gap-2">
            <Button disabled={isAll('mine')} onClick={() => onChoose(all, 'mine')}>
              {words.keep} everywhere
            </Button>
            <Button disabled={isAll('theirs')} onClick={() => onChoose(all, 'theirs')}>
              {words.take} everywhere
            </Button>
          </span>
        ) : null
      }
    >
      <ul className="card divide-y" aria-label="Conflicts">
        {merge.conflicts.map((conflict) => (
          <ConflictCard
            key={conflict.id}
            conflict={conflict}
            side={sides.get(conflict.id) ?? null}
            words={words}
            {...(onChoose ? { onChoose: (side: ConflictSide) => onChoose([conflict.id], side) } : {})}
          />
        ))}
      </ul>
    </Section>
  )
}
