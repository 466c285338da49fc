/** The pages of this feature, which come over the wire together when the first of them is opened. */
export { AssignmentsView } from './assignments-view.tsx'
export { CustomRulesView } from './custom-rules-view.tsx'
export { ImpactView } from './impact-view.tsx'
export { PacksView } from './packs-view.tsx'
export { PolicyView } from './policy-view.tsx'
export { GuideRulesView } from './rules-view.tsx'
export { StyleGuidePage } from './style-guide-page.tsx'
export { StyleGuidesPage } from './style-guides-page.tsx'
