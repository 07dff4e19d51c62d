# The local server, with everything in memory: docker run --publish 3000:3000
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
USER node
ENV HOST=0.0.0.0
EXPOSE 3000
CMD ["npm", "start"]
