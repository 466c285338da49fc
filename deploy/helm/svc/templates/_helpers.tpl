{{- define "svc.labels" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "svc.selector" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{/* The parts of a release that run: their suffix, roles and replicas. The first one answers people. */}}
{{- define "svc.parts" -}}
{{- $roles := list "web" }}
{{- if eq (int .Values.workers) 0 }}{{ $roles = append $roles "worker" }}{{ end }}
{{- if eq (int .Values.gateways) 0 }}{{ $roles = append $roles "gateway" }}{{ end }}
- { part: web, suffix: '', roles: {{ join "," $roles | quote }}, replicas: {{ .Values.replicas }} }
{{- if gt (int .Values.workers) 0 }}
- { part: worker, suffix: -worker, roles: worker, replicas: {{ .Values.workers }} }
{{- end }}
{{- if gt (int .Values.gateways) 0 }}
- { part: gateway, suffix: -gateway, roles: gateway, replicas: {{ .Values.gateways }} }
{{- end }}
{{- end }}
