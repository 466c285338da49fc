import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type { CatalogSpec } from '../../../../src/api/repository-shapes.ts'
import { bytesWords } from '../../parts/text.ts'
import { Tick } from '../../parts/tick.tsx'
import type { Selection } from '../projects/selection.ts'
import { ImportedTo } from './marks.tsx'
import { focusImport } from './import-files.ts'
import { kindNames } from './words.ts'

const cell = 'px-3 py-1.5 align-baseline'

/** A specification as the selection knows it: its repository and file, and its path. */
const rowOf = (spec: CatalogSpec) => ({ id: `${spec.repository_id} ${spec.file_id}`, name: spec.path })

/** `x` ticks the row that has the focus, Shift and `X` those from the last one; `j`, `k` and the arrows go to the next. */
const onRowKey = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
  const row = event.target.closest('tr')
  const tickOf = (it: Element | null | undefined) => it?.querySelector<HTMLInputElement>('input[type=checkbox]')
  const key = event.key.toLowerCase()
  if (key === 'x') tickOf(row)?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: event.shiftKey }))
  else if (key === 'j' || key === 'arrowdown') tickOf(row?.nextElementSibling)?.focus()
  else if (key === 'k' || key === 'arrowup') tickOf(row?.previousElementSibling)?.focus()
  else return
  event.preventDefault()
}

const Imported = ({ tenant, spec }: { tenant: string; spec: CatalogSpec }) =>
  spec.project_id !== null && spec.version_id !== null && spec.refresh_status !== null ? (
    <ImportedTo
      tenant={tenant}
      imported={{
        project_id: spec.project_id,
        version_id: spec.version_id,
        refresh_status: spec.refresh_status,
        project_slug: spec.project_slug,
        version_label: spec.version_label,
      }}
    />
  ) : (
    <span className="text-sm text-soft">not imported</span>
  )

const Row = ({
  tenant,
  spec,
  isSelected,
  onSelect,
}: {
  tenant: string
  spec: CatalogSpec
  isSelected: boolean
  /** Null where the person cannot import. */
  onSelect: ((withShift: boolean) => void) | null
}) => (
  <tr className={`relative hover:bg-raised ${isSelected ? 'bg-wash' : ''}`}>
    {onSelect === null ? null : (
      <td className="py-1.5 pl-3 align-baseline">
        <Tick
          label={`Select ${spec.path} of ${spec.repository_full_name}`}
          checked={isSelected}
          onClick={onSelect}
          onEnter={focusImport}
        />
      </td>
    )}
    <td className={`${cell} w-full max-w-0 min-w-40`}>
      <Link
        to="/t/$tenant/-/repositories/$repository/file"
        params={{ tenant, repository: spec.repository_id }}
        search={{ branch: spec.branch, path: spec.path }}
        className="block truncate font-mono text-[0.8125rem] leading-6 hover:underline max-sm:whitespace-normal max-sm:wrap-anywhere"
        title={spec.path}
      >
        {spec.path}
      </Link>
      <span className="block text-xs text-soft md:hidden">{spec.repository_full_name}</span>
    </td>
    <td className={`${cell} max-w-56 truncate text-sm max-md:hidden`} title={spec.repository_full_name}>
      {spec.repository_full_name}
    </td>
    <td className={`${cell} text-sm whitespace-nowrap max-sm:hidden`}>{kindNames[spec.kind] ?? spec.kind}</td>
    <td className={`${cell} text-right text-sm whitespace-nowrap tabular-nums max-lg:hidden`}>
      {spec.size_bytes === null ? '' : bytesWords(spec.size_bytes)}
    </td>
    <td className={`${cell} max-w-72 whitespace-nowrap max-sm:hidden`}>
      <Imported tenant={tenant} spec={spec} />
    </td>
  </tr>
)

/** The specifications of a page as rows that can be ticked. */
export const SpecificationTable = ({
  tenant,
  items,
  selection,
  may,
}: {
  tenant: string
  items: readonly CatalogSpec[]
  selection: Selection
  /** Whether the person can import them. */
  may: boolean
}) => {
  const rows = items.map(rowOf)
  const isWhole = rows.every(({ id }) => selection.has(id))
  return (
    <div className="card overflow-x-clip">
      <table className="w-full" aria-label="Specifications">
        <thead className="border-b text-left text-sm text-soft">
          <tr>
            {may ? (
              <th className="w-0 py-2 pl-3" scope="col">
                <Tick
                  label="Select all specifications of this page"
                  checked={isWhole}
                  mixed={!isWhole && rows.some(({ id }) => selection.has(id))}
                  onClick={() => selection.clickPage(rows)}
                  onEnter={focusImport}
                />
              </th>
            ) : null}
            <th className={`${cell} font-medium`} scope="col">
              File
            </th>
            <th className={`${cell} font-medium max-md:hidden`} scope="col">
              Repository
            </th>
            <th className={`${cell} font-medium max-sm:hidden`} scope="col">
              Kind
            </th>
            <th className={`${cell} text-right font-medium max-lg:hidden`} scope="col">
              Size
            </th>
            <th className={`${cell} font-medium max-sm:hidden`} scope="col">
              Imported to
            </th>
          </tr>
        </thead>
        <tbody className="divide-y" onKeyDown={onRowKey}>
          {items.map((spec, index) => {
            const id = rows[index]?.id ?? ''
            return (
              <Row
                key={id}
                tenant={tenant}
                spec={spec}
                isSelected={selection.has(id)}
                onSelect={may ? (withShift) => selection.click(rows, id, withShift) : null}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
