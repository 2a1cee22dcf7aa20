{{- define "repertoire.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "repertoire.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "repertoire.image" -}}
{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
{{- end -}}

{{- define "repertoire.cluster" -}}
- name: REPERTOIRE_CLUSTER
  value: {{ required "cluster.url must name the nodes of NATS" .Values.cluster.url | quote }}
- name: REPERTOIRE_CLUSTER_NAME
  value: {{ .Values.cluster.name | quote }}
- name: REPERTOIRE_CLUSTER_CHANNEL
  value: {{ .Values.cluster.channel | quote }}
{{- if .Values.cluster.credentialsSecret }}
- name: REPERTOIRE_CLUSTER_CREDENTIALS
  value: /etc/repertoire/nats/credentials
{{- end }}
{{- end -}}

{{- define "repertoire.mounts" -}}
- name: home
  mountPath: /home/node
{{- if .Values.cluster.credentialsSecret }}
- name: nats
  mountPath: /etc/repertoire/nats
  readOnly: true
{{- end }}
{{- end -}}

{{- define "repertoire.volumes" -}}
- name: home
  emptyDir: {}
{{- if .Values.cluster.credentialsSecret }}
- name: nats
  secret:
    secretName: {{ .Values.cluster.credentialsSecret | quote }}
{{- end }}
{{- end -}}
