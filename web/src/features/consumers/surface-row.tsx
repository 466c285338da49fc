import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { SurfaceOperation } from './queries.ts'
import { Badge, Method } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import {
  namesAt,
  type Offer,
  offersOf,
  operationKey,
  type Picks,
  setNames,
  toggleName,
  toggleOperation,
  unoffered,
  type Where,
  whereWords,
} from './selection.ts'

/** With more names than this, one may sift them. */
const many = 12

interface Given {
  readonly operation: string
  readonly picks: Picks
  readonly onPick: (picks: Picks) => void
}

const OfferLine = ({ offer, checked, onToggle }: { offer: Offer; checked: boolean; onToggle: () => void }) => (
  <label
    className="flex items-baseline gap-2 rounded px-1.5 py-0.5 hover:bg-raised"
    style={{ marginLeft: `${offer.depth * 1.25}rem` }}
  >
    <input type="checkbox" checked={checked} onChange={onToggle} />
    <span className="min-w-0 grow">
      <span className="font-mono text-sm break-all">{offer.name}</span>{' '}
      <span className="text-xs text-soft">
        {offer.type}
        {offer.required ? ', required' : ''}
        {offer.deprecated ? ', deprecated' : ''}
      </span>
    </span>
  </label>
)

const Offers = ({ operation, where, offers, picks, onPick }: Given & { where: Where; offers: readonly Offer[] }) => {
  const [text, setText] = useState('')
  const chosen = namesAt(picks, operation, where)
  const shown = offers.filter((it) => it.name.toLowerCase().includes(text.toLowerCase()))
  const choose = (names: readonly string[]): void => onPick(setNames(picks, operation, where, names))
  const words = whereWords(where)
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <legend className="mb-1 flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="font-medium">{words}</span>
        <span className="text-xs text-soft">
          {chosen.length.toLocaleString()} of {offers.length.toLocaleString()}
        </span>
      </legend>
      {offers.length === 0 ? (
        <p className="text-sm text-soft">No named fields.</p>
      ) : (
        <>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
            <button type="button" className="link" onClick={() => choose([...chosen, ...shown.map((it) => it.name)])}>
              All{text === '' ? '' : ' matches'}
              <span className="sr-only"> of {words}</span>
            </button>
            {offers.some((it) => it.required) ? (
              <button
                type="button"
                className="link"
                onClick={() => choose([...chosen, ...offers.filter((it) => it.required).map((it) => it.name)])}
              >
                Required<span className="sr-only"> of {words}</span>
              </button>
            ) : null}
            <button type="button" className="link" onClick={() => choose([])}>
              None<span className="sr-only"> of {words}</span>
            </button>
            {offers.length > many ? (
              <input
                type="search"
                aria-label={`Filter: ${words}`}
                placeholder="Filter …"
                className="field min-h-7! w-40 py-0.5! text-xs"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            ) : null}
          </p>
          <div className="max-h-80 overflow-auto" tabIndex={0} role="group" aria-label={words}>
            {shown.map((offer) => (
              <OfferLine
                key={offer.name}
                offer={offer}
                checked={chosen.includes(offer.name)}
                onToggle={() => onPick(toggleName(picks, operation, where, offer.name))}
              />
            ))}
            {shown.length === 0 ? <p className="text-sm text-soft">No matches.</p> : null}
          </div>
        </>
      )}
    </fieldset>
  )
}

/** A field that is not offered can be named anyway. */
const ByHand = ({
  operation,
  picks,
  onPick,
  wheres,
  truncated,
}: Given & { wheres: readonly Where[]; truncated: boolean }) => {
  const id = useId()
  const [where, setWhere] = useState<Where>(wheres.find((it) => it.startsWith('response')) ?? wheres[0] ?? 'request')
  const [name, setName] = useState('')
  return (
    <details open={truncated}>
      <summary className="w-fit cursor-pointer text-sm text-soft">Add a field by path</summary>
      <form
        className="mt-2 grid gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          const given = name.trim()
          if (given === '') return
          if (!namesAt(picks, operation, where).includes(given)) onPick(toggleName(picks, operation, where, given))
          setName('')
        }}
      >
        {truncated ? (
          <p className="text-sm text-warn">Not all fields of this operation are listed. Add the others by path.</p>
        ) : null}
        <div className="flex flex-wrap items-end gap-2">
          <label className="grid gap-1 text-sm" htmlFor={`${id}-where`}>
            Where
            <select
              id={`${id}-where`}
              className="field w-auto max-w-full"
              value={where}
              onChange={(event) => setWhere(event.target.value as Where)}
            >
              {wheres.map((it) => (
                <option key={it} value={it}>
                  {whereWords(it)}
                </option>
              ))}
            </select>
          </label>
          <label className="grid min-w-40 grow gap-1 text-sm" htmlFor={`${id}-name`}>
            Path
            <input
              id={`${id}-name`}
              className="field font-mono"
              spellCheck={false}
              placeholder="owner.name, lines[].price"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <Button type="submit" disabled={name.trim() === ''}>
            Add
          </Button>
        </div>
      </form>
    </details>
  )
}

/** What is chosen and not offered, shown before it is declared. */
const Doubtful = ({
  operation,
  picks,
  onPick,
  offers,
  version,
  truncated,
}: Given & { offers: ReadonlyMap<Where, readonly Offer[]>; version: string; truncated: boolean }) => {
  const items = unoffered(picks, operation, offers)
  if (items.length === 0) return null
  return (
    <ul className="grid gap-1 rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn" aria-label="Not in this version">
      {items.map(({ where, name }) => (
        <li key={`${where} ${name}`} className="flex flex-wrap items-baseline gap-x-2">
          <code className="font-mono break-all">{name}</code>
          <span>
            {whereWords(where).toLowerCase()}:{' '}
            {truncated ? 'not listed, will be looked up' : `${version} does not have it: it will be unresolved`}
          </span>
          <button type="button" className="underline" onClick={() => onPick(toggleName(picks, operation, where, name))}>
            remove<span className="sr-only"> {name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

const Opened = ({
  operation,
  picks,
  onPick,
  surface,
  version,
}: Given & { surface: SurfaceOperation; version: string }) => {
  const offers = useMemo(() => offersOf(surface), [surface])
  const wheres: Where[] = [...new Set<Where>([...offers.keys(), 'request'])]
  const given = { operation, picks, onPick }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-4 sm:pl-11">
      <Doubtful {...given} offers={offers} version={version} truncated={surface.truncated} />
      {[...offers].map(([where, list]) => (
        <Offers key={where} {...given} where={where} offers={list} />
      ))}
      {offers.size === 0 ? <p className="text-sm text-soft">This operation has no parameters and no fields.</p> : null}
      <ByHand {...given} wheres={wheres} truncated={surface.truncated} />
    </div>
  )
}

/** One operation of the surface: chosen as a whole by its box, in detail once it is opened. */
export const SurfaceRow = ({
  operation: surface,
  version,
  open,
  onToggle,
  picks,
  onPick,
}: {
  operation: SurfaceOperation
  version: string
  open: boolean
  onToggle: () => void
  picks: Picks
  onPick: (picks: Picks) => void
}) => {
  const operation = operationKey(surface)
  const wheres = picks.get(operation)
  const chosen = [...(wheres?.values() ?? [])].reduce((sum, names) => sum + names.length, 0)
  const Mark = open ? ChevronDown : ChevronRight
  return (
    <div>
      <div className="flex items-start gap-2 px-4 py-2">
        <input
          type="checkbox"
          className="mt-1.5"
          aria-label={`Uses ${operation}`}
          checked={wheres !== undefined}
          onChange={() => onPick(toggleOperation(picks, operation))}
        />
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="flex min-w-0 grow items-baseline gap-1 rounded text-left hover:bg-raised"
        >
          <Mark size={15} aria-hidden="true" className="mt-0.5 shrink-0 self-start text-soft" />
          <Method method={surface.method.toUpperCase()} />
          <span className="min-w-0 grow">
            <span className="font-mono text-sm break-all">{surface.path}</span>
            <span className="block truncate text-sm text-soft">{surface.summary || surface.operation_id || ' '}</span>
          </span>
          <span className="flex shrink-0 flex-wrap justify-end gap-1">
            {surface.deprecated ? <Badge tone="warn">deprecated</Badge> : null}
            {surface.truncated ? <Badge>truncated</Badge> : null}
            {chosen > 0 ? <Badge tone="accent">{chosen.toLocaleString()} chosen</Badge> : null}
          </span>
        </button>
      </div>
      {open ? <Opened operation={operation} picks={picks} onPick={onPick} surface={surface} version={version} /> : null}
    </div>
  )
}
