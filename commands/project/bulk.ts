import { type BulkResult, projectBulkApi } from '../../src/api/project-bulk.ts'
import { lifecycles } from '../../src/api/projects.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command } from '../../cli/declare.ts'
import { filterOptions, viewOption } from '../../cli/project/filter.ts'
import { continued, selectionsOf } from '../../cli/project/selection.ts'
import { renderTable } from '../../cli/table.ts'

const outcomes = {
  changed: 'would change',
  unchanged: 'stays',
  deleted: 'would be deleted',
  refused: 'refused',
} as const

function report(results: readonly BulkResult[], dryRun: boolean): string {
  const shown = results.filter(({ outcome }) => outcome !== 'unchanged')
  const rows = shown.map(({ slug, outcome, reason }) => [
    slug,
    dryRun ? outcomes[outcome] : outcome,
    reason?.message ?? '',
  ])
  const count = (outcome: BulkResult['outcome']): number => results.filter((it) => it.outcome === outcome).length
  const parts = [
    [count('changed'), dryRun ? 'to change' : 'changed'],
    [count('deleted'), dryRun ? 'to delete' : 'deleted'],
    [count('unchanged'), 'unchanged'],
    [count('refused'), 'refused'],
  ].flatMap(([n, what]) => (n === 0 ? [] : `${n} ${what}`))
  const table = rows.length === 0 ? '' : `${renderTable(['PROJECT', 'RESULT', 'REASON'], rows)}\n`
  return results.length === 0
    ? 'No projects match.\n'
    : `${table}${plural(results.length, 'project')}: ${parts.join(', ')}\n`
}

export default command({
  summary: 'Change or delete many projects: those named, or all that match a filter or a saved view',
  description:
    'Each project is changed by itself: one that is refused leaves the others as they are, and the exit code is 2. With --delete the number of projects must be given: "--delete --confirm 12".',
  examples: [
    'svc project bulk petstore shop --set-owner payments --add-tag public',
    'svc project bulk --owner old-team --set-owner new-team --dry-run',
    'svc project bulk --view "To retire" --delete --confirm 12',
  ],
  arguments: [{ name: 'projects', variadic: true, summary: 'ids or slugs' }],
  options: {
    view: viewOption,
    ...filterOptions,
    all: { type: 'boolean', summary: 'all projects of the organization' },
    'set-owner': { type: 'string', placeholder: 'NAME', summary: 'their new owner; an empty text removes it' },
    'set-lifecycle': {
      type: 'string',
      placeholder: 'STATE',
      choices: [...lifecycles, 'none'],
      summary: 'lifecycle of the projects; none removes it',
    },
    'add-tag': { type: 'string', multiple: true, placeholder: 'TAG', summary: 'add a tag (repeatable)' },
    'remove-tag': { type: 'string', multiple: true, placeholder: 'TAG', summary: 'remove a tag (repeatable)' },
    'set-style-guide': {
      type: 'string',
      placeholder: 'ID',
      summary: 'assign a style guide by its id; default removes the assignment',
    },
    delete: { type: 'boolean', summary: 'delete them with all their versions' },
    confirm: { type: 'integer', min: 0, placeholder: 'COUNT', summary: 'how many projects --delete deletes' },
    'dry-run': { type: 'boolean', summary: 'show what would be done, and change nothing' },
  },
  dataSchema: projectBulkApi.change.response.properties.results,
  async run({ args, options, connection }) {
    const owner = options['set-owner']
    const lifecycle = options['set-lifecycle']
    const guide = options['set-style-guide']
    const change = {
      ...(owner === undefined ? {} : { owner: owner === '' ? null : owner }),
      ...(lifecycle === undefined ? {} : { lifecycle: lifecycle === 'none' ? null : lifecycle }),
      ...(options['add-tag'].length === 0 ? {} : { add_tags: [...new Set(options['add-tag'])] }),
      ...(options['remove-tag'].length === 0 ? {} : { remove_tags: [...new Set(options['remove-tag'])] }),
      ...(guide === undefined ? {} : { style_guide: guide === 'default' ? null : guide }),
      ...(options.delete ? { delete: true as const } : {}),
    }
    if (Object.keys(change).length === 0)
      throw new SvcError('usage', {
        reason:
          'Give what to change: --set-owner, --set-lifecycle, --add-tag, --remove-tag, --set-style-guide or --delete.',
      })
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const selections = await selectionsOf(call, params.tenant_slug, { refs: args.projects, options })
    const dryRun = options['dry-run']
    const send = (selection: object, more: object = {}) =>
      call(projectBulkApi.change, { params, body: { ...selection, change, ...more } })
    if (options.delete && !dryRun) {
      let total = 0
      for (const selection of selections) total += (await send(selection, { dry_run: true })).total
      if (total > 0 && options.confirm !== total)
        throw new SvcError('usage', {
          reason: `This deletes ${plural(total, 'project')} with all versions; to confirm, add --confirm ${total}.`,
        })
    }
    const results: BulkResult[] = []
    const more = {
      ...(dryRun ? { dry_run: true } : {}),
      ...(options.delete && !dryRun && args.projects.length === 0 && options.confirm !== undefined
        ? { expected: options.confirm }
        : {}),
    }
    for await (const answer of continued(selections, (selection) => send(selection, more)))
      results.push(...answer.results)
    const isRefused = results.some(({ outcome }) => outcome === 'refused')
    return { data: results, text: () => report(results, dryRun), ...(isRefused ? { exitCode: 2 as const } : {}) }
  },
})
