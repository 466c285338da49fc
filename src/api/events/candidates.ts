import { Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../../kernel/shapes.ts'
import { gitProviders, type GitProvider } from '../linked-accounts.ts'
import {
  event,
  exampleLinks,
  exampleUrls,
  exampleVersion,
  ofVersion,
  type OfVersion,
  versionLinks,
  versionUrls,
} from './declare.ts'

/** What moved in a repository and waits for a person. */
interface OfCandidate extends OfVersion {
  readonly provider: GitProvider
  /** OWNER/NAME. */
  readonly repository: string
  readonly ref: string
  readonly path: string
  readonly from_commit: string
  readonly to_commit: string
  readonly detected_by: 'check' | 'webhook' | 'poll'
  readonly selection_changed: boolean
  /** Null where it is not known: the selection is not one document, or it was not compared. */
  readonly max_severity: 'breaking' | 'non-breaking' | 'docs-only' | null
  readonly verdict: 'safe' | 'breaking' | 'unknown' | null
  /** Null: it was not merged. */
  readonly merge: 'fast-forward' | 'clean' | 'conflicts' | 'unreadable' | null
}

interface BindingCandidate extends OfCandidate {
  readonly binding_id: string
  readonly candidate_id: string
  /** Null: it is bound by an address. */
  readonly repository_id: string | null
}

interface SyncCandidate extends OfCandidate {
  readonly repository_id: string
  readonly kind: 'binding' | 'import'
  /** Null for an imported file. */
  readonly binding_id: string | null
  readonly candidate_id: string | null
}

const ofCandidate = {
  ...ofVersion,
  provider: oneOf(gitProviders),
  repository: Type.String({ description: 'OWNER/NAME in lower case.' }),
  ref: Type.String(),
  path: Type.String({ description: 'What is selected: a file, a folder or a glob; empty: the whole tree.' }),
  from_commit: Type.String(),
  to_commit: Type.String(),
  detected_by: oneOf(['check', 'webhook', 'poll']),
  selection_changed: Type.Boolean({ description: 'Whether the commits touched what is selected.' }),
  max_severity: orNull(oneOf(['breaking', 'non-breaking', 'docs-only'], 'Of what changed in the repository.')),
  verdict: orNull(oneOf(['safe', 'breaking', 'unknown'], 'Null: it was not compared.')),
  merge: orNull(
    oneOf(
      ['fast-forward', 'clean', 'conflicts', 'unreadable'],
      'How the draft and the repository merge; null for an imported file.',
    ),
  ),
}
const urls = Type.Object({
  ...versionLinks,
  waiting: Type.String({ description: 'Where to decide, in the API: the binding of the version, or the repository.' }),
})

const exampleCandidate = {
  ...exampleVersion,
  provider: 'github',
  repository: 'acme/specs',
  ref: 'main',
  path: 'train-travel/openapi.yaml',
  from_commit: '5c1f0a7d9b3e2f4a6c8d0e1f2a3b4c5d6e7f8091',
  to_commit: 'a94f2c7e1b5d3f6a8c0e2d4b6f8a1c3e5d7f9b02',
  detected_by: 'webhook',
  selection_changed: true,
  max_severity: 'breaking',
  verdict: 'breaking',
  merge: 'clean',
} as const
const exampleRepository = '01980c67-5e6f-7a7b-8c8d-9e0f1a2b3c4d'

/** Events about commits that wait for a person. */
export const candidateEvents = {
  'binding.candidate': event({
    type: 'binding.candidate',
    title: 'BindingCandidateEvent',
    summary: 'The ref of a bound draft moved: a candidate waits for a person.',
    data: {
      ...ofCandidate,
      binding_id: Type.String(),
      candidate_id: Type.String(),
      repository_id: orNull(Type.String({ description: 'Null: the draft is bound by the address of a repository.' })),
      urls,
    },
    example: {
      ...exampleCandidate,
      binding_id: '01980c65-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
      candidate_id: '01980c66-4d5e-7f6a-9b7c-8d9e0f1a2b3c',
      repository_id: exampleRepository,
      urls: { ...exampleUrls, waiting: `${exampleUrls.version}/binding` },
    },
    dataOf: ({ label, ...payload }: BindingCandidate, links) => {
      const of = versionUrls({ ...payload, label }, links)
      return { ...payload, version_label: label, urls: { ...of, waiting: `${of.version}/binding` } }
    },
  }),
  'repository.sync_candidate': event({
    type: 'repository.sync_candidate',
    title: 'RepositorySyncCandidateEvent',
    summary:
      'Something of a registered repository waits for a person: a candidate of a bound draft, or an imported file that both sides changed.',
    data: {
      ...ofCandidate,
      repository_id: Type.String(),
      kind: oneOf(
        ['binding', 'import'],
        'binding: of a bound draft, which is also reported as binding.candidate. import: an imported file that was edited here and in the repository.',
      ),
      binding_id: orNull(Type.String({ description: 'Null for an imported file.' })),
      candidate_id: orNull(Type.String()),
      urls,
    },
    example: {
      ...exampleCandidate,
      max_severity: null,
      verdict: null,
      merge: null,
      repository_id: exampleRepository,
      kind: 'import',
      binding_id: null,
      candidate_id: null,
      urls: {
        ...exampleUrls,
        waiting: `${exampleLinks.publicUrl}/v1/tenants/${exampleLinks.tenant}/repositories/${exampleRepository}`,
      },
    },
    dataOf: ({ label, ...payload }: SyncCandidate, links) => {
      const of = versionUrls({ ...payload, label }, links)
      const repository = `${links.publicUrl}/v1/tenants/${links.tenant}/repositories/${payload.repository_id}`
      const waiting = payload.kind === 'binding' ? `${of.version}/binding` : repository
      return { ...payload, version_label: label, urls: { ...of, waiting } }
    },
  }),
}
