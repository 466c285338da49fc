import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { classesQuery, countsQuery, planQuery, proposalsQuery, type VersionPair } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Section } from '../../parts/page.tsx'
import { Empty, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { allVersionsQuery } from '../catalog/versions.ts'
import { RulesEditor } from './rules-editor.tsx'
import { ProjectFrame } from '../projects/project-frame.tsx'
import { classNames, propertiesOf } from './rules.ts'
import { VersionPicker } from '../catalog/pickers.tsx'

interface ClassLine {
  readonly name: string
  readonly rules: number
  /** Proposals that are not accepted yet. */
  readonly open: number
}

/** The classes with something to do first, then those with rules, then the others. */
const linesOf = (
  names: readonly string[],
  counts: Readonly<Record<string, number>>,
  proposals: Readonly<Record<string, readonly { readonly accepted: boolean }[]>>,
): ClassLine[] =>
  [...new Set([...names, ...Object.keys(counts), ...Object.keys(proposals)])]
    .map((name) => ({
      name,
      rules: counts[name] ?? 0,
      open: (proposals[name] ?? []).filter((it) => !it.accepted).length,
    }))
    .toSorted(
      (a, b) =>
        Number(b.open > 0) - Number(a.open > 0) ||
        Number(b.rules > 0) - Number(a.rules > 0) ||
        (a.name < b.name ? -1 : 1),
    )

const Classes = ({
  lines,
  chosen,
  onChoose,
}: {
  lines: readonly ClassLine[]
  chosen: string | null
  onChoose: (name: string) => void
}) => {
  const [text, setText] = useState('')
  const shown = lines.filter((it) => it.name.toLowerCase().includes(text.toLowerCase()))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2">
      {lines.length > 10 ? (
        <input
          type="search"
          className="field"
          aria-label="Search schemas"
          placeholder="Search schemas"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      ) : null}
      {shown.length === 0 ? (
        <NoMatch what="schema" onClear={() => setText('')} />
      ) : (
        <VirtualList label="Schemas" total={shown.length} estimate={45} height="max-h-[75vh]">
          {(index) => {
            const it = shown[index]
            return it ? (
              <button
                type="button"
                aria-pressed={it.name === chosen}
                onClick={() => onChoose(it.name)}
                className="flex w-full flex-wrap items-center justify-between gap-x-3 gap-y-1 px-3 py-2 text-left -outline-offset-2 hover:bg-raised aria-pressed:bg-wash"
              >
                <span className="min-w-0 font-mono text-sm break-all">{it.name}</span>
                <span className="flex flex-wrap gap-1.5">
                  {it.open > 0 ? <Badge tone="info">{it.open} proposed</Badge> : null}
                  {it.rules > 0 ? <Badge tone="ok">{count(it.rules, 'rule', 'rules')}</Badge> : null}
                </span>
              </button>
            ) : null
          }}
        </VirtualList>
      )}
    </div>
  )
}

/** The rules of one class, beside its properties in both versions. */
const OneClass = ({ pair, name }: { pair: VersionPair; name: string }) => {
  const older = useQuery(classesQuery(pair.tenant, pair.project, pair.from))
  const newer = useQuery(classesQuery(pair.tenant, pair.project, pair.to))
  const plan = useQuery(planQuery(pair, name))
  const proposals = useQuery(proposalsQuery(pair))
  return (
    <Section
      title={name}
      actions={
        <CommandHint command={svcCommand(pair.tenant, ['migration', 'show', pair.project, pair.from, pair.to, name])} />
      }
    >
      <Read query={older} what={`the schemas of ${pair.from}`}>
        {(before) => (
          <Read query={newer} what={`the schemas of ${pair.to}`}>
            {(after) => (
              <Read query={plan} what="the rules">
                {(kept) => (
                  <Read query={proposals} what="the proposals">
                    {({ proposals: all }) => (
                      <RulesEditor
                        pair={pair}
                        plan={kept}
                        before={propertiesOf(before, name)}
                        after={propertiesOf(after, name)}
                        proposals={all[name] ?? []}
                      />
                    )}
                  </Read>
                )}
              </Read>
            )}
          </Read>
        )}
      </Read>
    </Section>
  )
}

const Between = ({ pair, chosen }: { pair: VersionPair; chosen: string | null }) => {
  const { filter } = useAddress()
  const older = useQuery(classesQuery(pair.tenant, pair.project, pair.from))
  const counts = useQuery(countsQuery(pair))
  const proposals = useQuery(proposalsQuery(pair))
  const lines = useMemo(
    () => linesOf(classNames(older.data), counts.data?.counts ?? {}, proposals.data?.proposals ?? {}),
    [older.data, counts.data, proposals.data],
  )
  const name = chosen ?? lines[0]?.name ?? null
  return (
    <Read query={older} what={`the schemas of ${pair.from}`}>
      {() => (
        <Read query={counts} what="the rules">
          {() => (
            <Read query={proposals} what="the proposals">
              {() =>
                name === null ? (
                  <Empty title="No schemas">
                    <p>{pair.from} has no named schemas, so there is nothing to migrate.</p>
                  </Empty>
                ) : (
                  <div className="grid items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)]">
                    <Classes lines={lines} chosen={name} onChoose={(next) => filter({ class: next })} />
                    <OneClass key={name} pair={pair} name={name} />
                  </div>
                )
              }
            </Read>
          )}
        </Read>
      )}
    </Read>
  )
}

export interface ChosenPair {
  readonly from?: string
  readonly to?: string
  readonly class?: string
}

/** How the data of a version is carried into another one: a rule for each property that does not stay. */
export const MigrationPage = ({ tenant, project, chosen }: { tenant: string; project: string; chosen: ChosenPair }) => {
  const { filter } = useAddress()
  const versions = useQuery(allVersionsQuery(tenant, project))
  return (
    <ProjectFrame tenant={tenant} project={project} tab="Migration rules">
      <Read query={versions} what="the versions">
        {({ items }) => {
          const [newest, before] = items
          if (newest === undefined || before === undefined)
            return (
              <Empty title="Two versions needed">
                <p>Migration rules need two versions of the project.</p>
              </Empty>
            )
          const { from = before.slug, to = newest.slug } = chosen
          const pick = (label: string, value: string, word: 'from' | 'to') => (
            <VersionPicker
              tenant={tenant}
              project={project}
              label={label}
              value={value}
              onChoose={(next) => filter({ [word]: next, class: undefined })}
            />
          )
          return (
            <>
              <div className="grid max-w-2xl gap-3 sm:grid-cols-2">
                {pick('From', from, 'from')}
                {pick('To', to, 'to')}
              </div>
              {from === to ? (
                <Empty title="Same version twice">
                  <p>Choose two different versions.</p>
                </Empty>
              ) : (
                <Between key={`${from} ${to}`} pair={{ tenant, project, from, to }} chosen={chosen.class ?? null} />
              )}
            </>
          )
        }}
      </Read>
    </ProjectFrame>
  )
}
