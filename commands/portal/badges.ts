import { badgeKinds, portalApi, ProjectBadges } from '../../src/api/portal.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Print the badges of a project for a README: version, grade, compatible',
  description:
    'Badges show the latest version that is published for everybody, and answer 404 where there is none or the portal is off; a message says so.',
  examples: ['svc portal badges petstore >> README.md', 'svc portal badges petstore --format html --kind grade'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug of the project' }],
  options: {
    format: {
      type: 'string',
      placeholder: 'FORMAT',
      choices: ['markdown', 'html', 'url'],
      default: 'markdown',
      summary: 'as Markdown, HTML, or the addresses alone',
    },
    kind: { type: 'string', placeholder: 'KIND', choices: badgeKinds, summary: 'only this badge' },
  },
  dataSchema: ProjectBadges,
  async run({ args, options, connection, io }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const found = await call(portalApi.badges, { params })
    if (found.badges.some((it) => it.url.startsWith('/')))
      io.log.warn('A workspace has no public address: ask the service that serves the portal, with --base-url.')
    const { format, kind } = options
    const badges = kind === undefined ? found.badges : found.badges.filter((it) => it.kind === kind)
    if (!found.enabled) io.log.warn('The portal is off, so no one sees these badges. Switch it on: svc portal enable')
    else if (found.version_label === null)
      io.log.warn(
        `No version of ${args.project} is published for everybody, so no one sees these badges: svc version visibility ${args.project} VERSION public`,
      )
    return {
      data: { ...found, badges },
      text: `${badges.map((it) => it[format]).join('\n')}\n`,
    }
  },
})
