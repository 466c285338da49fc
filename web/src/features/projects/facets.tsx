import { useState } from 'react'
import type { ProjectFacets } from '../../../../src/api/projects.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField } from '../../parts/form.tsx'
import { type FacetName, facetNames } from './queries.ts'

const names: Record<FacetName, string> = {
  owner: 'Owner',
  lifecycle: 'Lifecycle',
  tag: 'Tag',
  grade: 'Grade',
  status: 'Status',
  format: 'Format',
  draft: 'Draft',
}

const words: Readonly<Record<string, string>> = {
  'grade none': 'not graded',
  'status none': 'no version',
  'draft yes': 'with a draft',
  'draft no': 'without a draft',
}

/** Filters of a list of projects, each value with the number of projects that it leaves. */
export const Facets = ({
  counts,
  chosen,
  onChoose,
}: {
  counts: ProjectFacets
  chosen: Partial<Record<FacetName, string>>
  onChoose: (changed: Partial<Record<FacetName, string>>) => void
}) => {
  const [isOpen, setOpen] = useState(false)
  // A facet with one value narrows nothing.
  const shown = facetNames.filter((facet) => chosen[facet] !== undefined || counts[facet].length > 1)
  if (shown.length === 0) return null
  const isFiltered = facetNames.some((facet) => chosen[facet] !== undefined)
  return (
    <div role="group" aria-label="Filters" className="flex flex-wrap items-end gap-3">
      <span className="sm:hidden">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
      </span>
      {shown.map((facet) => {
        const now = chosen[facet] ?? ''
        const known = counts[facet].some(({ value }) => value === now)
        return (
          <div key={facet} className={`min-w-32 flex-1 basis-32 sm:max-w-48 ${isOpen ? '' : 'max-sm:hidden'}`}>
            <SelectField
              label={names[facet]}
              value={now}
              options={[
                { value: '', name: 'All' },
                ...counts[facet].map(({ value, count }) => ({
                  value,
                  name: `${words[`${facet} ${value}`] ?? value} (${count.toLocaleString()})`,
                })),
                ...(now === '' || known ? [] : [{ value: now, name: now }]),
              ]}
              onChange={(value) => onChoose({ [facet]: value })}
            />
          </div>
        )
      })}
      {isFiltered ? (
        <Button onClick={() => onChoose(Object.fromEntries(facetNames.map((facet) => [facet, ''])))}>
          Clear filters
        </Button>
      ) : null}
    </div>
  )
}
