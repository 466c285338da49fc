import { Type, type Static } from '@sinclair/typebox'
import { endpoint } from './endpoint.ts'
import { bodyOf, dateTime, oneOf, titled } from '../kernel/shapes.ts'
import { stablePageShape, stableQuery } from './shapes.ts'
import { person, projectParams, projectPath, tenantParams, tenantPath, listed } from './kit.ts'

/** How much of a project reaches a person. */
export const watchLevels = ['everything', 'concerns_me', 'muted'] as const
export type WatchLevel = (typeof watchLevels)[number]

const level = oneOf(
  watchLevels,
  'everything: all news of the project reach you. concerns_me: what you made, edited, commented or were asked to review; this is so without any choice. muted: nothing but what is addressed to you, a mention or a requested review.',
)

const Watch = titled('ProjectWatch', Type.Object({ level }))

const WatchedProject = titled(
  'WatchedProject',
  Type.Object({
    project: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String() }),
    level,
    since: dateTime('When you chose it.'),
  }),
)
export type WatchedProject = Static<typeof WatchedProject>

const write = { ...person('projects:view'), writes: true } as const
const one = `${projectPath}/watch` as const

/** Watching: which projects a person wants all news of, and which none. */
export const projectWatchesApi = {
  list: endpoint({
    id: 'project-watches.list',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/project-watches`,
    summary: 'List the projects that you watch or muted, what you chose last first',
    access: listed(person('projects:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({
      ...stableQuery,
      level: Type.Optional(oneOf(['everything', 'muted'], 'Only those that you watch, or those that you muted.')),
    }),
    response: stablePageShape(WatchedProject),
    errors: ['cursor-invalid'],
  }),
  get: endpoint({
    id: 'project-watches.get',
    origin: 'own',
    method: 'GET',
    path: one,
    summary: 'Get how much of a project reaches you',
    access: person('projects:view'),
    params: Type.Object(projectParams),
    response: Watch,
    errors: ['project-not-found'],
  }),
  set: endpoint({
    id: 'project-watches.set',
    origin: 'own',
    method: 'PUT',
    path: one,
    summary: 'Watch or mute a project, or let what concerns you reach you',
    access: write,
    params: Type.Object(projectParams),
    body: bodyOf({ level }),
    response: Watch,
    errors: ['project-not-found'],
  }),
} as const
