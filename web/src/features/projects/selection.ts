import { useState } from 'react'

/** What is selected: some projects by their ids, or all that match the filter, however many that are. */
export interface Selected {
  /** Names by id; of projects on other pages too. */
  readonly names: ReadonlyMap<string, string>
  /** The filter whose projects are all selected; null: those in `names`. */
  readonly all: string | null
  /** The row that was clicked last: Shift and a click select from it. */
  readonly last: string | null
}

export const nothing: Selected = { names: new Map(), all: null, last: null }

interface Row {
  readonly id: string
  readonly name: string
}

/**
 * The selection after a click on a row of a page; with Shift all rows from the one before get the same state.
 * @param isAll whether all projects that match are selected, those of this page among them
 */
export function afterClick(
  before: Selected,
  rows: readonly Row[],
  id: string,
  withShift: boolean,
  isAll: boolean,
): Selected {
  // Out of all that match, what this page shows stays.
  const names = new Map(isAll ? rows.map((row) => [row.id, row.name]) : before.names)
  const at = rows.findIndex((row) => row.id === id)
  const from = withShift ? rows.findIndex((row) => row.id === before.last) : -1
  const [begin, end] = from === -1 ? [at, at] : [Math.min(at, from), Math.max(at, from)]
  const isOn = !names.has(id)
  for (const row of rows.slice(begin, end + 1)) {
    if (isOn) names.set(row.id, row.name)
    else names.delete(row.id)
  }
  return { names, all: null, last: id }
}

/** The selection after all rows of a page were selected, or taken out again where all of them were. */
export function afterPage(before: Selected, rows: readonly Row[], isAll: boolean): Selected {
  const names = new Map(before.names)
  const isOn = !isAll && rows.some((row) => !names.has(row.id))
  for (const row of rows) {
    if (isOn) names.set(row.id, row.name)
    else names.delete(row.id)
  }
  return { names, all: null, last: null }
}

export interface Selection {
  readonly count: number
  readonly isAll: boolean
  readonly ids: readonly string[]
  readonly has: (id: string) => boolean
  readonly click: (rows: readonly Row[], id: string, withShift: boolean) => void
  readonly clickPage: (rows: readonly Row[]) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

/** What is selected under a filter: where all that match are, other filters have the rows that were chosen one by one. */
export const selectedOf = (
  state: typeof nothing,
  filter: string,
  total: number,
): Pick<Selection, 'count' | 'isAll' | 'ids' | 'has'> => {
  const isAll = state.all === filter
  return {
    count: isAll ? total : state.names.size,
    isAll,
    ids: [...state.names.keys()],
    has: (id) => isAll || state.names.has(id),
  }
}

/**
 * Selected rows of a list that has pages; they stay selected on other pages and under other filters.
 * @param filter the filter as a text: all that match are selected until it changes
 * @param total how many projects match it
 */
export function useSelection(filter: string, total: number): Selection {
  const [state, setState] = useState(nothing)
  const shown = selectedOf(state, filter, total)
  const { isAll } = shown
  return {
    ...shown,
    click: (rows, id, withShift) => setState((before) => afterClick(before, rows, id, withShift, isAll)),
    clickPage: (rows) => setState((before) => afterPage(before, rows, isAll)),
    selectAll: () => setState((before) => ({ ...before, all: filter })),
    clear: () => setState(nothing),
  }
}
