import { badgeKinds, portalApi, PortalSetting, ProjectBadges } from '../../src/api/portal.ts'
import { plural } from '../../src/kernel/plural.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { readLogo } from '../../cli/portal-logo.ts'
import { renderFacts } from '../../cli/table.ts'
import { usageError } from '../../cli/usage-error.ts'

/** The setting of a portal as text: its state, its address, and why it shows nothing where that is so. */
const portalFacts = ({ enabled, url, projects, ...look }: PortalSetting): string =>
  renderFacts([
    ['portal', enabled ? 'on' : 'off'],
    ['address', url],
    [
      'shows',
      projects === 0
        ? 'nothing: no version is published for everybody'
        : `${plural(projects, 'project')}${enabled ? '' : ' once it is on'}`,
    ],
    ['title', look.title],
    ['introduction', look.introduction],
    ['logo', look.logo === null ? null : 'set'],
    ['grades', look.show_grades ? 'shown to everybody' : null],
    ['owners', look.show_owners ? 'shown to everybody' : null],
  ])

export default group({
  summary: 'Manage the public portal and badges',
  commands: {
    show: derive(portalApi.setting, {
      summary: 'Show whether the portal is on, its address, and how many projects it shows',
      examples: ['svc portal show', 'svc --tenant acme portal show --json'],
      text: portalFacts,
    }),
    enable: derive(portalApi.change, {
      summary: 'Switch the portal and the badges on',
      description:
        'It lists the latest version of each project that is published for everybody: svc version visibility PROJECT VERSION public.',
      examples: ['svc portal enable'],
      sends: { enabled: true },
      text: portalFacts,
    }),
    disable: derive(portalApi.change, {
      summary: 'Switch the portal and the badges off',
      description:
        'Versions that are published for everybody stay readable by their addresses; svc version visibility makes one private.',
      examples: ['svc portal disable'],
      sends: { enabled: false },
      text: portalFacts,
    }),
    set: command({
      summary: 'Change the title, the introduction, the logo and whether grades and owners are shown',
      description:
        'What is left out stays as it is. An empty text removes a title or an introduction, "none" the logo.',
      examples: [
        'svc portal set --title "APIs of Acme Rail" --logo logo.svg',
        'svc portal set --introduction "$(cat portal.md)" --show-grades',
        'svc portal set --logo none',
      ],
      arguments: [],
      options: {
        title: { type: 'string', placeholder: 'TEXT', summary: 'its title' },
        introduction: { type: 'string', placeholder: 'MARKDOWN', summary: 'what it begins with' },
        logo: { type: 'string', placeholder: 'FILE', summary: 'a PNG, WebP or SVG file of at most 64 kB' },
        'show-grades': { type: 'boolean', default: null, summary: 'show lint grades to everybody' },
        'show-owners': { type: 'boolean', default: null, summary: 'show the owners of projects to everybody' },
      },
      dataSchema: PortalSetting,
      async run({ options, connection, cwd }) {
        const { title, introduction, logo, 'show-grades': grades, 'show-owners': owners } = options
        const body = {
          ...(title === undefined ? {} : { title: title || null }),
          ...(introduction === undefined ? {} : { introduction: introduction || null }),
          ...(logo === undefined ? {} : { logo: logo === 'none' ? null : await readLogo(logo, { cwd }) }),
          ...(grades === null ? {} : { show_grades: grades }),
          ...(owners === null ? {} : { show_owners: owners }),
        }
        if (Object.keys(body).length === 0)
          throw usageError('Say what to change: --title, --introduction, --logo, --show-grades or --show-owners.')
        const { call, tenant } = await connection()
        const setting = await call(portalApi.change, { params: { tenant_slug: await tenant() }, body })
        return { data: setting, text: portalFacts(setting) }
      },
    }),
    badges: command({
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
        if (!found.enabled)
          io.log.warn('The portal is off, so no one sees these badges. Switch it on: svc portal enable')
        else if (found.version_label === null)
          io.log.warn(
            `No version of ${args.project} is published for everybody, so no one sees these badges: svc version visibility ${args.project} VERSION public`,
          )
        return {
          data: { ...found, badges },
          text: `${badges.map((it) => it[format]).join('\n')}\n`,
        }
      },
    }),
  },
})
