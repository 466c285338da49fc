import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { McpToolChains } from '../../../../src/api/mcp-server-shapes.ts'
import { SvcError } from '../../../../src/errors.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Command, CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { SmallJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Toolbar, Words } from '../../parts/page.tsx'
import { Empty, NoMatch, Notice } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import {
  type CellAt,
  cellAfter,
  type Chain,
  type ChainFilter,
  type ChainTable,
  type ChainVerdict,
  chainVerdicts,
  countVerdicts,
  findPair,
  firstPair,
  tableOf,
  verdictOf,
} from './chain-cells.ts'
import { chainsQuery, serverQuery, type ServerRef } from './queries.ts'

const looks: Readonly<Record<ChainVerdict, { readonly name: string; readonly sign: string; readonly tone: Tone }>> = {
  fits: { name: 'Fits', sign: '✓', tone: 'ok' },
  refused: { name: 'Does not fit', sign: '✕', tone: 'danger' },
  undecided: { name: 'Undecided', sign: '?', tone: 'warn' },
}

const washes: Readonly<Record<ChainVerdict, string>> = {
  fits: 'bg-ok-wash text-ok',
  refused: 'bg-danger-wash text-danger',
  undecided: 'bg-warn-wash text-warn',
}

/** What is decided of a pair, in a sentence. */
const sentences: Readonly<Record<ChainVerdict, string>> = {
  fits: 'Every value that the first tool answers is one that the second takes.',
  refused: 'The first tool may answer a value that the second refuses.',
  undecided: 'It is not decided whether the second tool takes all that the first answers.',
}

const Cell = ({ pair, isOpen, isReached, at }: { pair: Chain; isOpen: boolean; isReached: boolean; at: CellAt }) => {
  const { show } = useAddress()
  const verdict = verdictOf(pair)
  const { sign, name } = looks[verdict]
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      // One tab stop for the table: arrow keys move within it.
      tabIndex={isReached ? 0 : -1}
      data-cell={`${at.row} ${at.column}`}
      title={`${pair.from} to ${pair.to}: ${name.toLowerCase()}`}
      onClick={() => show(isOpen ? { from: undefined, to: undefined } : { from: pair.from, to: pair.to })}
      className={`grid size-9 place-items-center rounded-md text-sm font-semibold hover:outline-2 hover:outline-accent aria-pressed:outline-2 aria-pressed:outline-accent ${washes[verdict]}`}
    >
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">
        {pair.from} to {pair.to}: {name.toLowerCase()}
      </span>
    </button>
  )
}

const Blank = ({ row, column }: { row: string; column: string }) => (
  <span className="grid size-9 place-items-center text-soft">
    <span aria-hidden="true">{row === column ? '–' : ''}</span>
    <span className="sr-only">{row === column ? 'the same tool' : 'not shown'}</span>
  </span>
)

const Matrix = ({ table, open }: { table: ChainTable; open: CellAt | null }) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const reached = open ?? firstPair(table)
  const onKeyDown = (event: KeyboardEvent): void => {
    const [row, column] = ((event.target as HTMLElement).dataset['cell'] ?? '').split(' ').map(Number)
    if (row === undefined || column === undefined) return
    const next = cellAfter(table, { row, column }, event.key)
    if (next === null) return
    event.preventDefault()
    body.current?.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus()
  }
  return (
    <div className="card overflow-x-auto" role="region" aria-label="Pairs of tools" tabIndex={0}>
      <table className="text-sm">
        <caption className="sr-only">
          Each row is a tool that answers, each column a tool that takes the answer. Arrow keys move between the pairs.
        </caption>
        <thead>
          <tr className="border-b align-bottom">
            <th scope="col" className="sticky left-0 z-10 bg-surface px-3 py-2 text-left font-medium text-soft">
              Answers ↓ takes →
            </th>
            {table.columns.map((name) => (
              <th key={name} scope="col" className="h-36 px-1 py-2 font-mono text-xs font-medium" title={name}>
                <span className="inline-block max-h-32 rotate-180 truncate [writing-mode:vertical-rl]">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {table.rows.map(({ name, cells }, row) => (
            <tr key={name}>
              <th
                scope="row"
                title={name}
                className="sticky left-0 z-10 max-w-36 truncate bg-surface px-3 py-1 text-left font-mono text-xs font-medium sm:max-w-64"
              >
                {name}
              </th>
              {cells.map((pair, column) => (
                <td key={table.columns[column]} className="p-0.5">
                  {pair === null ? (
                    <Blank row={name} column={table.columns[column] ?? ''} />
                  ) : (
                    <Cell
                      pair={pair}
                      at={{ row, column }}
                      isOpen={open?.row === row && open.column === column}
                      isReached={reached?.row === row && reached.column === column}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The verdict of a pair, and the value that does not fit. */
const Pair = ({ at, pair }: { at: ServerRef; pair: Chain }) => {
  const panel = useRef<HTMLElement>(null)
  const verdict = verdictOf(pair)
  // On a narrow screen it is below the table. What browsers answer here is nothing that ends an effect.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [pair.from, pair.to])
  return (
    <section
      ref={panel}
      aria-label="The pair"
      className="card grid scroll-m-4 grid-cols-[minmax(0,1fr)] content-start gap-3 p-4"
    >
      <div className="grid gap-1.5">
        <h2 className="font-mono text-sm font-semibold wrap-anywhere">
          {pair.from} → {pair.to}
        </h2>
        <p>
          <Badge tone={looks[verdict].tone}>{looks[verdict].name.toLowerCase()}</Badge>
        </p>
      </div>
      <p className="text-sm">{sentences[verdict]}</p>
      {pair.counterexample === undefined ? null : (
        <div className="grid gap-1">
          <p className="text-sm text-soft">A value that does not fit:</p>
          <SmallJson value={pair.counterexample} label="A value that does not fit" />
        </div>
      )}
      {pair.reason === undefined ? null : (
        <p className="text-sm wrap-anywhere">
          <Words of={pair.reason} />
        </p>
      )}
      <Command
        command={svcCommand(at.tenant, [
          'mcp-server',
          'chain',
          `${at.endpoint}.${pair.from}`,
          `${at.endpoint}.${pair.to}`,
        ])}
      />
    </section>
  )
}

const listed = (names: readonly string[]) =>
  names.map((name, at) => (
    <span key={name}>
      {at === 0 ? '' : ', '}
      <code className="font-mono text-xs wrap-anywhere">{name}</code>
    </span>
  ))

/** What is known of tools that are not in the table. */
const Beside = ({ chains }: { chains: McpToolChains }) => (
  <>
    {chains.silent.length === 0 ? null : (
      <p className="max-w-[90ch] text-sm text-soft">
        {count(chains.silent.length, 'tool has', 'tools have')} no output schema, so that nothing is known of what{' '}
        {chains.silent.length === 1 ? 'it answers' : 'they answer'}: {listed(chains.silent)}
      </p>
    )}
    {chains.more === 0 ? null : (
      <Notice
        tone="info"
        title={`${count(chains.more, 'pair was', 'pairs were')} not compared: the server has too many tools.`}
      >
        The command compares two of them: {listed(chains.omitted)}
      </Notice>
    )}
  </>
)

const Silent = ({ chains: { from, silent } }: { chains: McpToolChains }) =>
  from.length === 0 ? (
    <Empty title="No tool says what it answers">
      <p>
        {silent.length === 1 ? 'Its only tool has' : `None of its ${silent.length} tools has`} an output schema. A tool
        that declares one can be compared with those that take its answers.
      </p>
    </Empty>
  ) : (
    <Empty title="No tool says what it takes">
      <p>None of its tools has an input schema.</p>
    </Empty>
  )

interface Given extends ChainFilter {
  /** The pair that is open. */
  readonly from: string
  readonly to: string
}

const Found = ({ at, chains, given }: { at: ServerRef; chains: McpToolChains; given: Given }) => {
  const { filter } = useAddress()
  if (chains.pairs.length === 0)
    return (
      <>
        <Silent chains={chains} />
        {chains.from.length === 0 ? null : <Beside chains={chains} />}
      </>
    )
  const counts = countVerdicts(chains.pairs)
  const table = tableOf(chains, given)
  const open = findPair(table, given.from, given.to)
  return (
    <>
      <Choices
        label="Verdict"
        value={given.verdict === '' ? null : given.verdict}
        choices={chainVerdicts.map((value) => ({
          value,
          name: `${looks[value].sign} ${looks[value].name}`,
          count: counts[value],
        }))}
        onChange={(value) => filter({ verdict: value ?? '' })}
      />
      <p className="sr-only" role="status">
        {open === null ? '' : sentences[verdictOf(open.pair)]}
      </p>
      {table.rows.length === 0 ? (
        <NoMatch what="pair of tools" onClear={() => filter({ q: '', verdict: '' })} />
      ) : (
        <div
          className={`grid grid-cols-[minmax(0,1fr)] items-start gap-4 ${open === null ? '' : 'lg:grid-cols-[minmax(0,1fr)_22rem]'}`}
        >
          <Matrix table={table} open={open?.at ?? null} />
          {open === null ? null : <Pair at={at} pair={open.pair} />}
        </div>
      )}
      <Beside chains={chains} />
    </>
  )
}

/** Which tools of a server take what others answer, with the value that does not fit. */
export const ChainsView = ({ at, given }: { at: ServerRef; given: Given }) => {
  const server = useQuery(serverQuery(at))
  const seen = `${server.data?.observed?.fingerprint ?? ''} ${server.data?.declared?.manifest_id ?? ''}`
  const chains = useQuery({ ...chainsQuery(at, seen), enabled: server.data !== undefined })
  const { filter } = useAddress()
  if (chains.error instanceof SvcError && chains.error.code === 'mcp-surface-not-found')
    return (
      <Empty title="Nothing to compare">
        <p>Neither its manifest nor an observation says which tools it has.</p>
      </Empty>
    )
  return (
    <>
      <p className="max-w-[75ch] text-sm text-pretty text-soft">
        Whether what a tool answers is what another one takes, decided by their schemas. Choose a pair to see a value
        that does not fit.
      </p>
      <Toolbar>
        <SearchField label="Search tools" value={given.q} onChange={(text) => filter({ q: text })} />
        <CommandHint command={svcCommand(at.tenant, ['mcp-server', 'chain', at.endpoint])} />
      </Toolbar>
      <Read query={chains} what="the pairs of tools">
        {(found) => <Found at={at} chains={found} given={given} />}
      </Read>
    </>
  )
}
