import { type EditingPolicy, tenantsApi } from '../../../src/api/tenants.ts'
import { group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { renderFacts } from '../../../cli/table.ts'

const text = ({ editors_edit_own: own }: EditingPolicy): string =>
  renderFacts([['editors edit', own ? 'the projects on which they are Editor or Owner' : 'all projects']])

export default group({
  summary: 'Choose which projects the Editors of the organization edit',
  commands: {
    show: derive(tenantsApi.editing, {
      summary: 'Show whether Editors edit all projects, or only their own',
      examples: ['svc --tenant acme tenant editing show'],
      text,
    }),
    own: derive(tenantsApi.setEditing, {
      summary: 'Let Editors edit only the projects on which they, or a team of theirs, are Editor or Owner',
      description: 'Elsewhere they have what a Viewer has; they still create projects and answer reviews.',
      examples: ['svc --tenant acme tenant editing own'],
      sends: { editors_edit_own: true },
      text,
    }),
    all: derive(tenantsApi.setEditing, {
      summary: 'Let Editors edit all projects',
      examples: ['svc --tenant acme tenant editing all'],
      sends: { editors_edit_own: false },
      text,
    }),
  },
})
