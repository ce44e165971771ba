{{- /* Variables that the migration needs too. Only existing Secrets: a hook runs before the chart's objects are created. */}}
{{- define "docs.platform.environment" -}}
- name: DOCS_PLATFORM_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .database }}
      key: url
{{- if .certificates }}
- name: NODE_EXTRA_CA_CERTS
  value: /run/certificates/ca.crt
{{- end }}
{{- end }}

{{- define "docs.platform.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .certificates }}
- name: certificates
  mountPath: /run/certificates
  readOnly: true
{{- end }}
{{- end }}

{{- define "docs.platform.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .certificates }}
- name: certificates
  secret:
    secretName: {{ . }}
{{- end }}
{{- end }}
