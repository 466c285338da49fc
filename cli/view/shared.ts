import type { ProjectView, ViewFilter } from '../../src/api/project-views.ts'
import { renderFacts } from '../table.ts'

export const viewArgument = { name: 'view', required: true, summary: 'name or id' } as const

/** A filter as a person reads it: "owner=Payments grade=F". */
export const filterText = (filter: ViewFilter): string =>
  Object.entries(filter)
    .map(([name, value]) => `${name === 'q' ? 'search' : name}=${/\s/.test(value) ? JSON.stringify(value) : value}`)
    .join(' ') || 'all projects'

/** A view as a person reads it. */
export const viewFacts = (view: ProjectView): string =>
  renderFacts([
    ['View', view.name],
    ['Id', view.id],
    ['Visibility', view.visibility],
    ['Projects', filterText(view.filter)],
    ['Default', view.is_default ? 'yes' : 'no'],
  ])
