import { Type, type Static } from '@sinclair/typebox'
import { endpoint, type Access } from './endpoint.ts'
import { bodyOf, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { idParam, may, person, projectPath, tenantParams, tenantPath, projectParams } from './kit.ts'

/** What a badge can say of a project. */
export const badgeKinds = ['version', 'grade', 'compatible'] as const
export type BadgeKind = (typeof badgeKinds)[number]

export const PortalSetting = titled(
  'PortalSetting',
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether the portal and the badges of the organization are served.' }),
    url: Type.String({ description: 'Where the portal is.' }),
    projects: Type.Integer({
      description:
        'How many projects have a version that is published for everybody. The portal answers 404 with none.',
    }),
    title: orNull(Type.String({ description: 'Its title; null: "APIs of" and the name of the organization.' })),
    introduction: orNull(Type.String({ description: 'What it begins with, in Markdown.' })),
    logo: orNull(Type.String({ description: 'A picture as a `data:` URL.' })),
    show_grades: Type.Boolean({ description: 'Whether it shows lint grades.' }),
    show_owners: Type.Boolean({ description: 'Whether it shows who owns each project.' }),
  }),
)
export type PortalSetting = Static<typeof PortalSetting>

/** The badges of a project, and what is to be done where they are not served. */
export const ProjectBadges = titled(
  'ProjectBadges',
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether the portal of the organization is on. Badges are off with it.' }),
    version_label: orNull(
      Type.String({
        description: 'The version that they show: the latest that is published for everybody; null: none is.',
      }),
    ),
    badges: Type.Array(
      Type.Object({
        kind: oneOf(badgeKinds),
        url: Type.String({ description: 'The badge as an SVG image.' }),
        markdown: Type.String({ description: 'For a README.' }),
        html: Type.String({ description: 'For a page.' }),
      }),
      { description: 'Their addresses stay; they answer 404 while the portal is off or `version_label` is null.' },
    ),
  }),
)
export type ProjectBadges = Static<typeof ProjectBadges>

const access: Access = {
  anonymous: true,
  reason: 'it shows what is published for everybody, and nothing else',
}
const errors = ['portal-not-found'] as const

/** The public portal of an organization: its projects with a version that is published for everybody, a feed, badges. */
export const portalApi = {
  page: endpoint({
    id: 'portal.page',
    origin: 'own',
    method: 'GET',
    path: '/p/{tenant_slug}',
    summary: 'Get the public portal of an organization',
    description:
      'Answers 404 alike for an organization that does not exist, has its portal switched off, or has published nothing for everybody.',
    access,
    params: Type.Object(tenantParams),
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the name, the description or the tags.' })),
      format: Type.Optional(Type.String({ maxLength: 40 })),
      lifecycle: Type.Optional(Type.String({ maxLength: 40 })),
      tag: Type.Optional(Type.String({ maxLength: 100 })),
      grade: Type.Optional(Type.String({ maxLength: 2 })),
      sort: Type.Optional(oneOf(['name', 'newest'])),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    }),
    response: Type.Unknown(),
    produces: ['text/html'],
    errors,
  }),
  feed: endpoint({
    id: 'portal.feed',
    origin: 'own',
    method: 'GET',
    path: '/p/{tenant_slug}/feed.atom',
    summary: 'Get the public versions of an organization as an Atom feed (RFC 4287), newest first',
    access,
    params: Type.Object(tenantParams),
    response: Type.Unknown(),
    produces: ['application/atom+xml'],
    answerHeaders: ['etag'],
    errors,
  }),
  sitemap: endpoint({
    id: 'portal.sitemap',
    origin: 'own',
    method: 'GET',
    path: '/p/{tenant_slug}/sitemap.xml',
    summary: 'Get the addresses of the portal and of the documentation that it lists, for search engines',
    access,
    params: Type.Object(tenantParams),
    response: Type.Unknown(),
    produces: ['application/xml'],
    answerHeaders: ['etag'],
    errors,
  }),
  robots: endpoint({
    id: 'portal.robots',
    origin: 'own',
    method: 'GET',
    path: '/robots.txt',
    summary: 'Get what search engines may read: portals and documentation',
    access: { anonymous: true, reason: 'it says the same to everybody' },
    response: Type.Unknown(),
    produces: ['text/plain'],
    answerHeaders: ['etag'],
    errors: [],
  }),
  badge: endpoint({
    id: 'portal.badge',
    origin: 'own',
    method: 'GET',
    path: '/p/{tenant_slug}/{project_slug}/badge/{badge_kind}',
    summary: 'Get a badge of the latest public version of a project as SVG: version, grade, compatible',
    description:
      'The address stays the same for all versions. `compatible` says whether the version breaks clients of the one before it. May be kept for five minutes.',
    access,
    params: Type.Object({
      ...tenantParams,
      project_slug: idParam,
      badge_kind: oneOf(badgeKinds.map((kind) => `${kind}.svg` as const)),
    }),
    response: Type.Unknown(),
    produces: ['image/svg+xml'],
    anyOrigin: true,
    answerHeaders: ['etag'],
    errors,
  }),
  badges: endpoint({
    id: 'portal.badges',
    origin: 'own',
    method: 'GET',
    path: `${projectPath}/badges`,
    summary: 'Get the badges of a project as Markdown and HTML, and whether they are public',
    access: may('projects:view'),
    params: Type.Object(projectParams),
    response: ProjectBadges,
    errors: ['project-not-found'],
  }),
  setting: endpoint({
    id: 'portal.setting',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/portal`,
    summary: 'Get whether the portal of an organization is on, and its address',
    access: may('projects:view'),
    params: Type.Object(tenantParams),
    response: PortalSetting,
    errors: [],
  }),
  change: endpoint({
    id: 'portal.change',
    origin: 'own',
    method: 'PUT',
    path: `${tenantPath}/portal`,
    summary: 'Switch the portal of an organization on or off, and change what it shows',
    description:
      'What is left out stays as it is; null takes a text away. Versions that are published for everybody can still be read by their addresses while it is off.',
    access: person('members:edit'),
    params: Type.Object(tenantParams),
    body: bodyOf({
      enabled: Type.Optional(Type.Boolean()),
      title: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 100 }))),
      introduction: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 5000 }))),
      logo: Type.Optional(
        orNull(
          Type.String({
            maxLength: 90_000,
            pattern: '^data:image/(png|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2}$',
            description: 'PNG, WebP or SVG as a `data:` URL in Base64, at most 64 kB.',
            examples: ['data:image/png;base64,iVBORw0KGgo='],
          }),
        ),
      ),
      show_grades: Type.Optional(Type.Boolean()),
      show_owners: Type.Optional(Type.Boolean()),
    }),
    response: PortalSetting,
    errors: [],
  }),
} as const
