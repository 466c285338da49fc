/** The structure of Overlay documents: 1.0 (17 October 2024), 1.1 (14 January 2026), and the draft of 1.2. */
import {
  any,
  flag,
  type Grammar,
  map,
  matching,
  node,
  type NodeShape,
  text,
  unique,
  uri,
} from '../document/validate/grammar.ts'

/** The versions that are read, the last one as its draft describes it. */
export const overlayVersions = ['1.0', '1.1', '1.2'] as const
export type OverlayVersion = (typeof overlayVersions)[number]

const query = matching(/^\$/, 'a JSONPath query, which begins with "$"')

const fieldsOf: Readonly<Record<OverlayVersion, NodeShape['fields']>> = {
  '1.0': { target: query, description: text, update: any, remove: flag },
  '1.1': { target: query, description: text, update: any, copy: text, remove: flag },
  '1.2': { target: query, description: text, update: any, copy: text, remove: flag, $ref: text },
}

const grammarOf = (version: OverlayVersion): Grammar => {
  const isDraft = version === '1.2'
  const { target: _, $ref: __, ...reusable } = fieldsOf[version]
  const minor = version.slice(2)
  return {
    title: `Overlay ${version}`,
    root: 'Document',
    nodes: {
      Document: {
        fields: {
          overlay: matching(new RegExp(String.raw`^1\.${minor}\.\d+$`), `a version ${version}.x`),
          info: node('Info'),
          extends: uri,
          actions: unique(node('Action'), 1),
          ...(isDraft ? { components: node('Components') } : {}),
        },
        required: ['overlay', 'info', 'actions'],
      },
      // 1.0 has no description of an overlay.
      Info: {
        fields: { title: text, version: text, ...(version === '1.0' ? {} : { description: text }) },
        required: ['title', 'version'],
      },
      Action: { fields: fieldsOf[version], required: ['target'] },
      Components: { fields: { actions: map(node('ReusableAction')) } },
      ReusableAction: { fields: { description: text, fields: node('ReusableFields') } },
      ReusableFields: { fields: reusable },
    },
  }
}

const grammars: Readonly<Record<OverlayVersion, Grammar>> = {
  '1.0': grammarOf('1.0'),
  '1.1': grammarOf('1.1'),
  '1.2': grammarOf('1.2'),
}

/** The structure of one version of Overlay. */
export const overlayGrammar = (version: OverlayVersion): Grammar => grammars[version]
