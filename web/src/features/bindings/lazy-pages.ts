/** The pages of this feature, which come over the wire together when the first of them is opened. */
export { BindingView } from './binding-view.tsx'
export { BindingsPage } from './bindings-page.tsx'
export { CandidateView } from './candidate-view.tsx'
